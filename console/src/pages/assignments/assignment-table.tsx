import { Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AssignmentEntry } from '../../api/types';
import { OBJECT_TYPES, recordNamesQuery } from '../../api/records';
import { useAccess } from '../../app/access';
import { word } from '../../model/say';
import { AppLink } from '../../parts/app-link';
import { DataTable, type Column } from '../../parts/data-table';
import { PersonLink, RecordLink, RouterLink } from '../../parts/links';
import { Time } from '../../parts/time';

/** Entries of the log, each leading to why. */
export function AssignmentTable({ rows, label }: { rows: readonly AssignmentEntry[]; label: string }) {
  const { t } = useTranslation();
  const names = useRecordNames(rows);
  const columns: Column<AssignmentEntry>[] = [
    {
      key: 'when',
      heading: t('assignments.when'),
      cell: ({ id, created_at: at }) => (
        <AppLink to="/assignments/$assignment" params={{ assignment: id }}>
          <Time at={at} focusable={false} />
        </AppLink>
      ),
    },
    {
      key: 'who',
      heading: t('assignments.who'),
      cell: ({ user }) =>
        user === null ? (
          <Text size="sm" c="dimmed">
            {t('common.nobody')}
          </Text>
        ) : (
          <PersonLink email={user} named />
        ),
    },
    { key: 'why', heading: t('assignments.reason'), cell: ({ reason }) => word(t, 'reasons', reason) },
    {
      key: 'router',
      heading: t('assignments.router'),
      cell: ({ router_id: id, rule, step }) => (
        <>
          <RouterLink id={id} />
          {rule !== null && ` · ${rule}`}
          {step !== null && step > 0 && ` · ${t('assignments.step_n', { step })}`}
        </>
      ),
    },
    {
      key: 'record',
      heading: t('assignments.record'),
      cell: ({ object_type: type, object_id: id }) => <RecordLink type={type} id={id} name={names[id]} />,
    },
  ];
  return <DataTable label={label} columns={columns} rows={rows} rowKey={({ id }) => id} />;
}

/** The names of the records, by their ids: one request for each type of a hundred entries. */
export function useRecordNames(
  rows: readonly Pick<AssignmentEntry, 'object_type' | 'object_id'>[],
): Record<string, string> {
  const may = useAccess()('records:read');
  const queries = OBJECT_TYPES.flatMap((type) => {
    const ids = [...new Set(rows.flatMap((row) => (row.object_type === type ? [row.object_id] : [])))];
    return chunks(ids, 100).map((some) => ({ ...recordNamesQuery(type, some), enabled: may }));
  });
  const results = useQueries({ queries });
  return Object.assign({}, ...results.map(({ data }) => data ?? {})) as Record<string, string>;
}

function chunks<T>(values: readonly T[], size: number): T[][] {
  const count = Math.ceil(values.length / size);
  return Array.from({ length: count }, (_, index) => values.slice(index * size, (index + 1) * size));
}
