import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import type { Router } from '../../api/types';
import { useFormats } from '../../i18n/format';
import { AppLink } from '../../parts/app-link';
import { Bar } from '../../parts/bar';
import { DataTable, type Column } from '../../parts/data-table';
import { Problem } from '../../parts/problem';
import { Empty, Loading } from '../../parts/states';

export type RoutersResult = UseQueryResult<Router[]>;

/** The first hundred routers, with how they stand. */
export function useRoutersToday(): RoutersResult {
  return useQuery({
    queryKey: ['routers', 'today'],
    queryFn: async () =>
      (await answer(api.GET('/routers', { params: { query: { limit: 100, expand: 'status' } } }))).data,
    refetchInterval: 60_000,
  });
}

export function RoutersToday({ routers: { data, error, isPending, refetch } }: { routers: RoutersResult }) {
  const { t } = useTranslation();
  const { number, credit } = useFormats();
  if (isPending) return <Loading />;
  if (data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data.length === 0) return <Empty title={t('today.no_routers')}>{t('today.no_routers_text')}</Empty>;
  const max = Math.max(...data.map(({ status }) => (status?.assigned ?? 0) + (status?.refused ?? 0)));
  const counted = (what: 'assigned' | 'refused'): Column<Router> => ({
    key: what,
    heading: t(`today.${what}`),
    numeric: true,
    cell: ({ id, status }) => (
      <AppLink to="/assignments" search={{ router: id, from: '24h', assigned: what === 'assigned' }}>
        {number(status?.[what] ?? 0)}
      </AppLink>
    ),
  });
  const columns: Column<Router>[] = [
    {
      key: 'router',
      heading: t('assignments.router'),
      cell: ({ id, name, is_published: published }) => (
        <>
          <AppLink to="/routers/$router" params={{ router: id }}>
            {name}
          </AppLink>
          {!published && <span className="quiet"> {t('today.unpublished')}</span>}
        </>
      ),
    },
    { key: 'type', heading: t('today.type'), cell: ({ object_type: type }) => t(`common.types.${type}`) },
    counted('assigned'),
    counted('refused'),
    {
      key: 'bar',
      heading: t('assignments.share'),
      cell: ({ status }) => <Bar assigned={status?.assigned ?? 0} refused={status?.refused ?? 0} max={max} />,
    },
    {
      key: 'deviation',
      heading: t('today.deviation'),
      numeric: true,
      cell: ({ status }) => (status?.deviation == null ? '–' : credit(Math.abs(status.deviation))),
    },
  ];
  return <DataTable label={t('today.routers')} columns={columns} rows={data} rowKey={({ id }) => id} />;
}
