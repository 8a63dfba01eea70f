import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { word } from '../../model/say';
import { AppLink } from '../../parts/app-link';
import { DataTable } from '../../parts/data-table';
import { PersonLink, RouterLink } from '../../parts/links';
import { Section } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { Empty, Loading } from '../../parts/states';
import { Time } from '../../parts/time';

/** The newest decisions on a record. */
export function RecordAssignments({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data, error, isPending } = useQuery({
    queryKey: ['assignments', 'of-record', id],
    queryFn: () => answer(api.GET('/assignments', { params: { query: { object_id: id, limit: 10 } } })),
  });
  return (
    <Section
      title={t('shell.pages.assignments')}
      actions={
        <AppLink to="/assignments" search={{ record: id }}>
          {t('today.all')}
        </AppLink>
      }
    >
      {isPending && <Loading />}
      {error !== null && <Problem error={error} />}
      {data?.data.length === 0 && <Empty title={t('records.no_assignments')} />}
      {data !== undefined && data.data.length > 0 && (
        <DataTable
          label={t('shell.pages.assignments')}
          rows={data.data}
          rowKey={(row) => row.id}
          columns={[
            {
              key: 'at',
              heading: t('records.when'),
              cell: (row) => (
                <AppLink to="/assignments/$assignment" params={{ assignment: row.id }}>
                  <Time at={row.created_at} focusable={false} />
                </AppLink>
              ),
            },
            { key: 'router', heading: t('records.router'), cell: (row) => <RouterLink id={row.router_id} /> },
            {
              key: 'user',
              heading: t('records.owner'),
              cell: ({ user }) => (user === null ? t('common.nobody') : <PersonLink email={user} />),
            },
            {
              key: 'reason',
              heading: t('records.reason'),
              cell: ({ reason }) => word(t, 'reasons', reason),
            },
          ]}
        />
      )}
    </Section>
  );
}
