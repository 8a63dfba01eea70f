import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Field } from '../../api/types';
import { OWNERS, type ObjectType } from '../../api/records';
import { shownValues } from '../../parts/conditions/trigger';
import { AppLink } from '../../parts/app-link';
import { DataTable } from '../../parts/data-table';
import { RouterLink } from '../../parts/links';
import { byPages, More } from '../../parts/more';
import { Section } from '../../parts/page';
import { Time } from '../../parts/time';
import { readHistory } from './queries';

interface HistoryProps {
  type: ObjectType;
  id: string;
  fields: readonly Field[];
}

/** Every change of every field, newest first, and who made it. */
export function History({ type, id, fields }: HistoryProps) {
  const { t } = useTranslation();
  const query = useInfiniteQuery({
    ...byPages,
    queryKey: ['history', type, id],
    queryFn: ({ pageParam }) => readHistory(type, id, pageParam),
  });
  const field = (name: string) => fields.find(({ internal_name }) => internal_name === name);
  const assigned = `${OWNERS[type]}_assigned_date`;
  const show = (name: string, value: string | boolean | null) => {
    if (value === null) return '–';
    const isTime = name === assigned || field(name)?.type === 'datetime';
    return isTime ? <Time at={String(value)} /> : shownValues(field(name), value).join(', ');
  };
  return (
    <Section title={t('records.history')}>
      <More query={query} empty={{ title: t('records.no_history') }}>
        {(rows) => (
          <DataTable
            label={t('records.history')}
            rows={rows}
            rowKey={({ at, field: name }) => `${at} ${name}`}
            columns={[
              { key: 'at', heading: t('records.when'), cell: ({ at }) => <Time at={at} /> },
              {
                key: 'field',
                heading: t('records.field'),
                cell: ({ field: name }) => {
                  const system = name === assigned ? 'assigned' : (name as 'archived');
                  return field(name)?.label ?? t(`records.system.${system}`, { defaultValue: name });
                },
              },
              {
                key: 'from',
                heading: t('routers.before'),
                cell: ({ field: name, from }) => show(name, from),
              },
              { key: 'to', heading: t('routers.after'), cell: ({ field: name, to }) => show(name, to) },
              {
                key: 'by',
                heading: t('records.by'),
                cell: ({ by, assignment_id: assignment }) => (
                  <>
                    {by.kind === 'router' && by.id !== null ? (
                      <RouterLink id={by.id} />
                    ) : by.kind === 'import' || by.kind === 'system' ? (
                      t(`records.kinds.${by.kind}`)
                    ) : (
                      by.name
                    )}
                    {assignment !== null && (
                      <>
                        {' · '}
                        <AppLink to="/assignments/$assignment" params={{ assignment }}>
                          {t('records.why')}
                        </AppLink>
                      </>
                    )}
                  </>
                ),
              },
            ]}
          />
        )}
      </More>
    </Section>
  );
}
