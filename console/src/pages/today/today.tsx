import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useAccess } from '../../app/access';
import { useFormats } from '../../i18n/format';
import { instantOf } from '../../model/span';
import { AppLink } from '../../parts/app-link';
import { Page, Section } from '../../parts/page';
import { Stat, Stats } from '../../parts/stat';
import { useNow } from '../../parts/time';
import { AssignmentList } from '../assignments/assignment-list';
import { Attention } from './attention';
import { RoutersToday, useRoutersToday } from './routers-today';

const REFRESHED = 30_000;

/** What has happened since yesterday, who is there, and what needs somebody. */
export default function Today() {
  const { t } = useTranslation();
  const may = useAccess();
  const routers = useRoutersToday();
  return (
    <Page title={t('shell.pages.today')}>
      <Stats>
        <Decisions />
        {may('directory:read') && <AvailableNow />}
      </Stats>
      <Section title={t('today.attention')}>
        <Attention routers={routers} />
      </Section>
      <Section title={t('today.routers')}>
        <RoutersToday routers={routers} />
      </Section>
      <Section
        title={t('today.latest')}
        actions={
          <AppLink to="/assignments" fz="sm">
            {t('today.all')}
          </AppLink>
        }
      >
        <AssignmentList filter={{}} limit={10} follow />
      </Section>
    </Page>
  );
}

function Decisions() {
  const { t } = useTranslation();
  const { number } = useFormats();
  const from = instantOf('24h', 'from', useNow());
  const { data, error } = useQuery({
    queryKey: ['assignments', 'summary', 'today', from],
    queryFn: () => answer(api.GET('/assignments/summary', { params: { query: { by: 'reason', from } } })),
    refetchInterval: REFRESHED,
    placeholderData: (before) => before,
  });
  return (['assigned', 'refused'] as const).map((what) => (
    <Stat key={what} label={t(`today.${what}`)} about={t('today.last_day')}>
      <AppLink to="/assignments" search={{ from: '24h', assigned: what === 'assigned' }}>
        {data === undefined ? unknown(error) : number(data.total[what])}
      </AppLink>
    </Stat>
  ));
}

function AvailableNow() {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { data, error } = useQuery({
    queryKey: ['users', 'today'],
    queryFn: async () => {
      const [there, all] = await Promise.all([countUsers({ eligible: 'true' }), countUsers({})]);
      return { there, all };
    },
    refetchInterval: REFRESHED,
  });
  return (
    <Stat
      label={t('today.available')}
      about={data !== undefined && t('today.of_people', { count: data.all })}
    >
      <AppLink to="/people" search={{ eligible: 'true' }}>
        {data === undefined ? unknown(error) : number(data.there)}
      </AppLink>
    </Stat>
  );
}

async function countUsers(filter: { eligible?: 'true' }): Promise<number> {
  const { pagination } = await answer(api.GET('/users', { params: { query: { limit: 1, ...filter } } }));
  return pagination.count;
}

/** What stands for a figure that is not there yet, or could not be read. */
function unknown(error: Error | null): string {
  return error === null ? '…' : '–';
}
