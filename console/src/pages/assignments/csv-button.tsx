import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import type { AssignmentEntry, AssignmentFilter } from '../../api/types';
import { toCsv } from '../../model/csv';
import { notifyOf } from '../../parts/problem';

const MOST = 10_000;
const COLUMNS = [
  'id',
  'created_at',
  'router_id',
  'router_version',
  'rule',
  'step',
  'object_type',
  'object_id',
  'user',
  'previous_user',
  'reason',
  'message',
] as const satisfies readonly (keyof AssignmentEntry)[];

/** Saves what the filters find as a file, newest first. */
export function CsvButton({ filter }: { filter: AssignmentFilter }) {
  const { t } = useTranslation();
  const [count, setCount] = useState(0);
  const save = useMutation({
    mutationFn: async () => {
      const { rows, isCut } = await readAll(filter, setCount);
      download(
        toCsv(
          COLUMNS,
          rows.map((row) => COLUMNS.map((column) => row[column])),
        ),
      );
      if (isCut) notifications.show({ message: t('assignments.csv_cut', { count: rows.length }) });
    },
    onError: (error) => notifyOf(t, error, t('common.failed')),
    onSettled: () => setCount(0),
  });
  return (
    <Button variant="default" size="sm" disabled={save.isPending} onClick={() => save.mutate()}>
      {save.isPending ? t('assignments.csv_reading', { count }) : t('assignments.csv')}
    </Button>
  );
}

async function readAll(filter: AssignmentFilter, progress: (count: number) => void) {
  const rows: AssignmentEntry[] = [];
  let after: string | null = '';
  while (after !== null && rows.length < MOST) {
    const query = { limit: 100, ...filter, ...(after !== '' && { after }) };
    const page: { data: AssignmentEntry[]; pagination: { next: string | null } } = await answer(
      api.GET('/assignments', { params: { query } }),
    );
    rows.push(...page.data);
    after = page.pagination.next;
    progress(rows.length);
  }
  return { rows, isCut: after !== null };
}

/** Saves a file, with the mark by which spreadsheets know UTF-8. */
function download(csv: string): void {
  const address = URL.createObjectURL(new Blob(['\uFEFF', csv], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `assignments-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
