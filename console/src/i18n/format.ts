import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** How a language writes numbers, dates and lists. Times are in the viewer's zone, or the one given. */
export function formats(chosen: string, timeZone?: string) {
  const language = regional(chosen);
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  const dateTime = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, ...(timeZone !== undefined && { timeZone }) });
  const exact = dateTime({ dateStyle: 'medium', timeStyle: 'long' });
  const clock = dateTime({ hour: '2-digit', minute: '2-digit' });
  const weekday = dateTime({ weekday: 'short', hour: '2-digit', minute: '2-digit' });
  const day = dateTime({ day: 'numeric', month: 'short' });
  const sort = dateTime({ year: 'numeric', month: '2-digit', day: '2-digit' });
  return {
    number: (value: number) => number.format(value),
    /** With two decimals: credits and shares. */
    credit: (value: number) =>
      new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value),
    list: (values: readonly string[]) => new Intl.ListFormat(language).format(values),
    exact: (at: Date) => exact.format(at),
    day: (at: Date) => day.format(at),
    ago: (at: Date, now: Date) => {
      const [value, unit] = inUnits((at.getTime() - now.getTime()) / 1000);
      return relative.format(value, unit);
    },
    /** When something ends or begins: 17:30 today, Mon 09:00 within a week, else the day. */
    soon: (at: Date, now: Date) => {
      if (sort.format(at) === sort.format(now)) return clock.format(at);
      return at.getTime() - now.getTime() < 6 * 86_400_000 ? weekday.format(at) : day.format(at);
    },
  };
}

/** A language as the browser's region writes it: `en-GB` where English is chosen there. */
function regional(language: string): string {
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language;
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** The largest unit of which there is at least one. */
export function inUnits(seconds: number): [number, Intl.RelativeTimeFormatUnit] {
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return [Math.trunc(seconds / length), unit];
}

export function useFormats(timeZone?: string) {
  const { i18n } = useTranslation();
  return useMemo(() => formats(i18n.language, timeZone), [i18n.language, timeZone]);
}
