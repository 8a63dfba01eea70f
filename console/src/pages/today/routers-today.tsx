import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import type { ListedRouter } from '../../api/types';
import { useFormats } from '../../i18n/format';
import { AppLink } from '../../parts/app-link';
import { Bar } from '../../parts/bar';
import { DataTable, type Column } from '../../parts/data-table';
import { Problem } from '../../parts/problem';
import { Some } from '../../parts/some';
import { Empty, Loading } from '../../parts/states';

export type RoutersResult = UseQueryResult<{ routers: ListedRouter[]; isCut: boolean }>;

/** The most routers that are read. */
const MOST = 1_000;

/** All routers, with how they stand; of very many, the oldest. */
export function useRoutersToday(): RoutersResult {
  return useQuery({
    queryKey: ['routers', 'today'],
    queryFn: async () => {
      const routers: ListedRouter[] = [];
      let after: string | null | undefined;
      do {
        const query = { limit: 100, brief: true, expand: 'status' as const, ...(after && { after }) };
        const page: Page = await answer(api.GET('/routers', { params: { query } }));
        routers.push(...page.data);
        after = page.pagination.next;
      } while (typeof after === 'string' && routers.length < MOST);
      return { routers, isCut: typeof after === 'string' };
    },
    refetchInterval: 60_000,
  });
}

interface Page {
  data: ListedRouter[];
  pagination: { next?: string | null };
}

/** The routers, those that decided most of all first. */
export function RoutersToday({ routers: { data, error, isPending, refetch } }: { routers: RoutersResult }) {
  const { t } = useTranslation();
  const { number, credit } = useFormats();
  if (isPending) return <Loading />;
  if (data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  const { routers, isCut } = data;
  if (routers.length === 0) return <Empty title={t('today.no_routers')}>{t('today.no_routers_text')}</Empty>;
  const decided = ({ status }: ListedRouter) => (status?.assigned ?? 0) + (status?.refused ?? 0);
  const rows = routers.toSorted((one, other) => decided(other) - decided(one));
  const max = Math.max(...routers.map(decided));
  const counted = (what: 'assigned' | 'refused'): Column<ListedRouter> => ({
    key: what,
    heading: t(`today.${what}`),
    numeric: true,
    cell: ({ id, status }) => (
      <AppLink to="/assignments" search={{ router: id, from: '24h', assigned: what === 'assigned' }}>
        {number(status?.[what] ?? 0)}
      </AppLink>
    ),
  });
  const columns: Column<ListedRouter>[] = [
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
  return (
    <>
      {isCut && <p className="caution">{t('today.routers_cut', { count: routers.length })}</p>}
      <Some rows={rows} step={20}>
        {(some) => (
          <DataTable
            label={t('today.routers')}
            columns={columns}
            rows={some.map(({ row }) => row)}
            rowKey={({ id }) => id}
          />
        )}
      </Some>
    </>
  );
}
