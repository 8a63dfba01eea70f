import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import Plot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Rotation } from '../../../api/types';
import { useFormats } from '../../../i18n/format';

interface CreditsProps {
  history: Rotation['history'];
  /** Credits stay within it, above and below 0; null where nothing bounds them. */
  bound: number | null;
}

const COLORS = {
  light: ['#1c5d99', '#a3470f', '#1f7a4d', '#7a3e9d', '#8a6d00', '#b0264a'],
  dark: ['#7cb7ec', '#f0a06a', '#6fd3a0', '#cda2ea', '#e3c65a', '#f08aa6'],
};
const HEIGHT = 220;

/** What the rotation has owed each member after each turn, between the lines of the bound. */
export default function Credits({ history, bound }: CreditsProps) {
  const { t } = useTranslation();
  const { day } = useFormats();
  const scheme = useComputedColorScheme('light');
  const { ref, width } = useElementSize();
  const chart = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chart.current === null || width === 0) return;
    const names = [...new Set(history.flatMap(({ credits }) => Object.keys(credits)))].sort();
    const style = getComputedStyle(document.body);
    const axis = { stroke: style.color, grid: { stroke: style.getPropertyValue('--line') } };
    const times = history.map(({ at }) => Date.parse(at) / 1000);
    const lines = names.map((name) => history.map(({ credits }) => credits[name] ?? null));
    const limit = { stroke: style.color, dash: [4, 4], points: { show: false } };
    const flat = (value: number) => history.map(() => value);
    const plot = new Plot(
      {
        width,
        height: HEIGHT,
        cursor: { drag: { x: false, y: false } },
        axes: [{ ...axis, values: (_, all) => all.map((at) => day(new Date(at * 1000))) }, axis],
        series: [
          { label: t('assignments.time'), value: (_, at) => (at ? day(new Date(at * 1000)) : '') },
          ...names.map((name, n) => ({
            label: name,
            stroke: COLORS[scheme][n % 6] ?? '',
            width: 1.5,
            spanGaps: true,
          })),
          ...(bound === null
            ? []
            : [t('routers.upper'), t('routers.lower')].map((label) => ({ label, ...limit }))),
        ],
      },
      [times, ...lines, ...(bound === null ? [] : [flat(bound), flat(-bound)])],
      chart.current,
    );
    return () => plot.destroy();
  }, [history, bound, width, scheme, day, t]);
  return (
    <figure ref={ref} style={{ margin: '1rem 0 0', overflow: 'hidden' }}>
      <figcaption>{t('routers.credits')}</figcaption>
      <div ref={chart} role="img" aria-label={t('routers.credits_text')} />
    </figure>
  );
}
