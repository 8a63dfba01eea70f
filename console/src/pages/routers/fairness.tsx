import { SegmentedControl, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import type { Rotation } from '../../api/types';
import { useFormats } from '../../i18n/format';
import { DataTable } from '../../parts/data-table';
import { PersonLink } from '../../parts/links';
import { Section } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { Some } from '../../parts/some';
import { Empty, Loading } from '../../parts/states';
import { Time } from '../../parts/time';
import classes from './fairness.module.css';
import { RouterFrame } from './parts/frame';

const Credits = lazy(() => import('./parts/credits'));

/** What each rotation has given to whom, beside the fair share, and how far off it was at worst. */
export default function Fairness() {
  const { router } = useParams({ from: '/shell/routers/$router/fairness' });
  return <RouterFrame id={router}>{() => <Report id={router} />}</RouterFrame>;
}

function Report({ id }: { id: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/routers/$router/fairness' });
  const { days = '30' } = useSearch({ from: '/shell/routers/$router/fairness' });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['routers', id, 'fairness', days],
    queryFn: () => {
      const from = new Date(Date.now() - Number(days) * 86_400_000).toISOString();
      return answer(
        api.GET('/routers/{routerId}/fairness', { params: { path: { routerId: id }, query: { from } } }),
      );
    },
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <SegmentedControl
        mb="md"
        aria-label={t('routers.period')}
        value={days}
        data={(['7', '30', '90'] as const).map((value) => ({
          value,
          label: t('routers.days', { count: Number(value) }),
        }))}
        onChange={(value) => void navigate({ search: { days: value as '7' } })}
      />
      {isPending && <Loading />}
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      {data?.rotations.length === 0 && (
        <Empty title={t('routers.no_turns')}>{t('routers.no_turns_text')}</Empty>
      )}
      {data !== undefined && (
        <Some
          rows={data.rotations}
          step={10}
          textOf={({ name, members }) => `${name} ${members.map(({ user }) => user).join(' ')}`}
        >
          {(some) =>
            some.map(({ row: rotation }) => (
              <RotationReport key={`${rotation.rule ?? ''} ${rotation.step}`} rotation={rotation} />
            ))
          }
        </Some>
      )}
    </>
  );
}

function RotationReport({ rotation }: { rotation: Rotation }) {
  const { t } = useTranslation();
  const { credit: written, number } = useFormats();
  const credit = (value: number | null) => (value === null ? '–' : written(value));
  const { name, model, members, worst, bound, kept, history } = rotation;
  const most = Math.max(1, ...members.map(({ turns, fair_share }) => Math.max(turns, fair_share ?? 0)));
  return (
    <Section title={name}>
      <Text size="sm" mb="xs">
        {t(`routers.models.${model as 'percentage'}`, { defaultValue: model })}
        {worst !== null && (
          <>
            {' · '}
            {t('routers.worst', { credit: credit(Math.abs(worst.credit)) })} (
            <PersonLink email={worst.user} />, <Time at={worst.at} />)
          </>
        )}
        {' · '}
        {t(`routers.bound.${bound.kind}`, { value: credit(bound.value) })}
      </Text>
      {!kept && (
        <Text size="sm" className="caution" mb="xs">
          {t('routers.not_kept')}
        </Text>
      )}
      <Some rows={members} step={50}>
        {(some) => (
          <DataTable
            label={t('routers.fairness_of', { name })}
            rows={some.map(({ row }) => row)}
            rowKey={({ user }) => user}
            columns={[
              {
                key: 'user',
                heading: t('routers.person'),
                cell: ({ user }) => <PersonLink email={user} named />,
              },
              {
                key: 'bar',
                heading: t('routers.turns_fair'),
                cell: ({ turns, fair_share }) => (
                  <span className={classes.track} aria-hidden>
                    <span className={classes.turns} style={{ width: `${(100 * turns) / most}%` }} />
                    {fair_share !== null && (
                      <span
                        className={classes.fair}
                        style={{ insetInlineStart: `${(100 * fair_share) / most}%` }}
                      />
                    )}
                  </span>
                ),
              },
              {
                key: 'turns',
                heading: t('routers.turns'),
                numeric: true,
                cell: ({ turns }) => number(turns),
              },
              {
                key: 'fair',
                heading: t('routers.fair'),
                numeric: true,
                cell: ({ fair_share }) => credit(fair_share),
              },
              {
                key: 'credit',
                heading: t('routers.owed'),
                numeric: true,
                cell: (member) => credit(member.credit),
              },
              {
                key: 'absent',
                heading: t('routers.absent'),
                numeric: true,
                cell: ({ absent }) => number(absent),
              },
              {
                key: 'returned',
                heading: t('routers.returned'),
                numeric: true,
                cell: ({ returned }) => number(returned),
              },
              {
                key: 'run',
                heading: t('routers.longest_run'),
                numeric: true,
                cell: (member) => number(member.longest_run),
              },
              {
                key: 'last',
                heading: t('routers.last_turn'),
                cell: ({ last_at }) => (last_at === null ? '–' : <Time at={last_at} />),
              },
            ]}
          />
        )}
      </Some>
      {history.length > 1 && (
        <Suspense fallback={<Loading />}>
          <Credits history={history} bound={bound.value} />
        </Suspense>
      )}
    </Section>
  );
}
