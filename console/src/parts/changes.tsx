import { Code } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ValueChange } from '../api/types';
import { DataTable } from './data-table';
import { Some } from './some';
import { Empty } from './states';

/** What differs between two versions: before and after, value by value. */
export function Changes({ changes }: { changes: readonly ValueChange[] }) {
  const { t } = useTranslation();
  if (changes.length === 0) return <Empty title={t('routers.same')} />;
  const show = (value: unknown) =>
    value === null || value === undefined ? (
      '–'
    ) : typeof value === 'string' ? (
      value
    ) : (
      <Code>{JSON.stringify(value)}</Code>
    );
  return (
    <Some rows={changes} step={50} textOf={({ path }) => path}>
      {(some) => (
        <DataTable
          label={t('routers.changes')}
          rows={some.map(({ row }) => row)}
          rowKey={({ path }) => path}
          columns={[
            { key: 'what', heading: t('routers.what'), cell: ({ path }) => nameOf(path) },
            { key: 'before', heading: t('routers.before'), cell: ({ from }) => show(from) },
            { key: 'after', heading: t('routers.after'), cell: ({ to }) => show(to) },
          ]}
        />
      )}
    </Some>
  );

  /** The path with its keys in words: `settings.rules[VIP].overwrite` is “rules › VIP › replacing owners”. */
  function nameOf(path: string): string {
    const parts = path.replace(/^settings\./, '').matchAll(/\[([^\]]*)\]|([^.[\]]+)/g);
    return [...parts]
      .map(([, name, key = '']) => name ?? t(`routers.keys.${key as 'overwrite'}`, { defaultValue: key }))
      .join(' › ');
  }
}
