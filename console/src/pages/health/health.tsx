import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useFormats } from '../../i18n/format';
import { DataTable } from '../../parts/data-table';
import { Page, Section } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { Stat, Stats } from '../../parts/stat';
import { Loading, Spoken } from '../../parts/states';
import { Time } from '../../parts/time';

const EVERY = 5_000;

/** Whether the service and its database do what they should, asked again every five seconds. */
export default function Health() {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { data, error, isPending } = useQuery({
    queryKey: ['status'],
    queryFn: () => answer(api.GET('/status')),
    refetchInterval: EVERY,
    retry: false,
  });
  const word = error === null ? t('health.well') : t('health.away');
  return (
    <Page title={t('shell.pages.health')} about={t('health.about')}>
      <Spoken>{isPending ? '' : word}</Spoken>
      {error !== null && <Problem error={error} title={t('health.away')} />}
      {isPending && <Loading />}
      {data !== undefined && (
        <>
          {error === null && (
            <Alert variant="default" mb="md">
              <span className="good">{t('health.well')}</span>
            </Alert>
          )}
          {error !== null && (
            <Text size="sm" mb="sm">
              {t('health.last_known')}
            </Text>
          )}
          <Stats>
            <Stat label={t('health.release')}>{data.release}</Stat>
            <Stat label={t('health.database')} about={t('health.schema', { version: data.schema.version })}>
              {data.database.version}
            </Stat>
            <Stat label={t('health.pool')} about={t('health.of', { count: data.pool.size })}>
              {number(data.pool.busy)}
            </Stat>
            <Stat label={t('health.waiting')}>{number(data.pool.waiting)}</Stat>
            <Stat label={t('health.pending')}>{number(data.schema.pending)}</Stat>
          </Stats>
          <Section title={t('health.lags')}>
            <DataTable
              label={t('health.lags')}
              rows={data.lags}
              rowKey={({ name }) => name}
              columns={[
                {
                  key: 'name',
                  heading: t('health.work'),
                  cell: ({ name }) => t(`health.works.${name as 'counts'}`, { defaultValue: name }),
                },
                {
                  key: 'seconds',
                  heading: t('health.behind'),
                  numeric: true,
                  cell: ({ seconds }) =>
                    seconds === null
                      ? t('health.not_yet')
                      : t('health.seconds', { count: Math.round(seconds) }),
                },
              ]}
            />
          </Section>
          <Section title={t('health.nodes')}>
            <DataTable
              label={t('health.nodes')}
              rows={data.database.nodes}
              rowKey={({ name }) => name}
              columns={[
                { key: 'name', heading: t('health.node'), cell: ({ name }) => name },
                {
                  key: 'state',
                  heading: t('health.state'),
                  cell: ({ state }) => t(`health.states.${state}`),
                },
                {
                  key: 'accounts',
                  heading: t('health.accounts'),
                  numeric: true,
                  cell: ({ accounts }) => accounts !== null && number(accounts),
                },
                {
                  key: 'bytes',
                  heading: t('health.gigabytes'),
                  numeric: true,
                  cell: ({ bytes }) => bytes !== null && number(Math.round(bytes / 1e7) / 100),
                },
              ]}
            />
          </Section>
          <Section title={t('health.processes')}>
            <DataTable
              label={t('health.processes')}
              rows={data.processes}
              rowKey={({ id }) => id}
              columns={[
                {
                  key: 'id',
                  heading: t('health.process'),
                  cell: ({ id, self }) => `…${id.slice(-8)}${self ? ` · ${t('health.this_one')}` : ''}`,
                },
                { key: 'release', heading: t('health.release'), cell: ({ release }) => release },
                {
                  key: 'since',
                  heading: t('health.since'),
                  cell: ({ started_at }) => <Time at={started_at} />,
                },
                { key: 'seen', heading: t('health.seen'), cell: ({ seen_at }) => <Time at={seen_at} /> },
              ]}
            />
          </Section>
        </>
      )}
    </Page>
  );
}
