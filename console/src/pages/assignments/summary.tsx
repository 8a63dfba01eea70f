import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import type { AssignmentCounts, AssignmentFilter } from '../../api/types';
import { useFormats } from '../../i18n/format';
import { word } from '../../model/say';
import { AppLink } from '../../parts/app-link';
import { Bar } from '../../parts/bar';
import { DataTable, type Column } from '../../parts/data-table';
import { PersonLink } from '../../parts/links';
import { Problem } from '../../parts/problem';
import { Some } from '../../parts/some';
import { Empty, Loading } from '../../parts/states';
import type { AssignmentSearch, VIEWS } from './filter';

type By = Exclude<(typeof VIEWS)[number], 'list'>;
type Line = AssignmentCounts['data'][number] & { isTotal?: boolean };

interface SummaryProps {
  by: By;
  filter: AssignmentFilter;
  search: AssignmentSearch;
}

/** How many records each got, and how many nobody did. Each line leads to its decisions. */
export function Summary({ by, filter, search }: SummaryProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['assignments', 'summary', by, filter],
    queryFn: () => answer(api.GET('/assignments/summary', { params: { query: { by, ...filter } } })),
    placeholderData: keepPreviousData,
  });
  if (isPending) return <Loading />;
  if (data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data.data.length === 0)
    return <Empty title={t('assignments.empty')}>{t('assignments.empty_text')}</Empty>;
  const max = Math.max(...data.data.map(({ assigned, refused }) => assigned + refused));
  /** A number, which leads to the decisions that it counts. */
  const figure = (line: Line, which: 'assigned' | 'refused') => {
    const counted = line.isTotal === true ? {} : countedBy(by, line.value, filter);
    if (counted === undefined || line[which] === 0) return number(line[which]);
    return (
      <AppLink
        to="/assignments"
        search={{ ...search, view: undefined, ...counted, assigned: which === 'assigned' }}
      >
        {number(line[which])}
      </AppLink>
    );
  };
  const columns: Column<Line>[] = [
    {
      key: by,
      heading: t(
        by === 'day' ? 'assignments.when' : by === 'user' ? 'assignments.person' : `assignments.${by}`,
      ),
      cell: ({ value, isTotal }) =>
        isTotal === true ? <strong>{t('assignments.total')}</strong> : <Value by={by} value={value} />,
    },
    {
      key: 'assigned',
      heading: t('assignments.assigned'),
      numeric: true,
      cell: (line) => figure(line, 'assigned'),
    },
    {
      key: 'refused',
      heading: t('assignments.refused'),
      numeric: true,
      cell: (line) => figure(line, 'refused'),
    },
    {
      key: 'bar',
      heading: t('assignments.share'),
      cell: ({ assigned, refused, isTotal }) =>
        isTotal === true ? null : <Bar assigned={assigned} refused={refused} max={max} />,
    },
  ];
  return (
    <>
      <Some rows={data.data} step={50}>
        {(some) => (
          <DataTable
            label={t(`assignments.views.${by}`)}
            columns={columns}
            rows={[...some.map(({ row }) => row), { value: ' ', ...data.total, isTotal: true }]}
            rowKey={({ value }) => value ?? ''}
          />
        )}
      </Some>
      {data.more === true && <Text size="sm">{t('assignments.more_lines')}</Text>}
    </>
  );
}

/** What a line counts. */
function Value({ by, value }: { by: By; value: string | null }) {
  const { t } = useTranslation();
  const { day } = useFormats('UTC');
  if (value === null) return t(by === 'rule' ? 'assignments.no_rule' : 'common.nobody');
  if (by === 'user') return <PersonLink email={value} named />;
  if (by === 'reason') return word(t, 'reasons', value);
  return by === 'day' ? `${day(new Date(value))} (UTC)` : value;
}

/** The search for the decisions that a line counts; undefined where there is none. */
function countedBy(by: By, value: string | null, filter: AssignmentFilter): AssignmentSearch | undefined {
  if (value === null) return by === 'user' ? {} : undefined;
  if (by !== 'day') return { [by]: value };
  // A day of UTC, as they are counted, as far as it is in the span.
  const start = new Date(value).toISOString();
  const end = new Date(Date.parse(value) + 86_400_000).toISOString();
  const { from = start, to = end } = filter;
  return { from: from > start ? from : start, to: to < end ? to : end };
}
