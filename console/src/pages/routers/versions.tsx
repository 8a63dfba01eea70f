import { Button, Group, Select } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useAccess } from '../../app/access';
import { Confirm } from '../../parts/confirm';
import { DataTable } from '../../parts/data-table';
import { Section } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { useReturnFocus } from '../../parts/return-focus';
import { Empty, Loading } from '../../parts/states';
import { Time } from '../../parts/time';
import { Changes } from '../../parts/changes';
import { RouterFrame } from './parts/frame';
import { routerDiffQuery, routerVersionsQuery, type RouterState } from './queries';
import { AppLink } from '../../parts/app-link';

/** What was live when, by whom; any two versions compared; the way back. */
export default function Versions() {
  const { router } = useParams({ from: '/shell/routers/$router/versions' });
  return <RouterFrame id={router}>{(state) => <VersionList state={state} />}</RouterFrame>;
}

function VersionList({ state }: { state: RouterState }) {
  const { t } = useTranslation();
  const may = useAccess();
  const { id, is_published, archived } = state.live.value;
  const { data, error, isPending, refetch } = useQuery(routerVersionsQuery(id));
  const [back, setBack] = useState<number | null>(null);
  if (isPending) return <Loading />;
  if (data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  const { data: versions } = data;
  if (versions.length === 0)
    return <Empty title={t('routers.no_versions')}>{t('routers.no_versions_text')}</Empty>;
  const newest = versions[0]?.version;
  const canGoBack = may('manage') && archived === false;
  const isLive = (version: number) => is_published && version === newest;
  return (
    <>
      <Section title={t('routers.tabs.versions')}>
        <DataTable
          label={t('routers.tabs.versions')}
          rows={versions}
          rowKey={({ version }) => String(version)}
          columns={[
            {
              key: 'version',
              heading: t('routers.version'),
              cell: ({ version }) => `${version}${isLive(version) ? ` · ${t('routers.is_live')}` : ''}`,
            },
            {
              key: 'at',
              heading: t('routers.published_at'),
              cell: ({ published_at }) => <Time at={published_at} />,
            },
            {
              key: 'by',
              heading: t('routers.published_by'),
              cell: ({ published_by }) => published_by?.name ?? '–',
            },
            { key: 'note', heading: t('routers.note'), cell: ({ note }) => note ?? '' },
            {
              key: 'do',
              heading: t('common.actions'),
              cell: ({ version }) => (
                <Group gap="xs" justify="flex-end">
                  {version > 1 && (
                    <AppLink
                      to="/routers/$router/versions"
                      params={{ router: id }}
                      search={{ from: String(version - 1), to: String(version) }}
                    >
                      {t('routers.what_changed', { version })}
                    </AppLink>
                  )}
                  {canGoBack && !isLive(version) && (
                    <Button size="compact-xs" variant="default" onClick={() => setBack(version)}>
                      {t('routers.roll_back_to', { version })}
                    </Button>
                  )}
                </Group>
              ),
            },
          ]}
        />
      </Section>
      <Compare
        id={id}
        versions={versions.map(({ version }) => String(version))}
        hasDraft={state.draft !== undefined}
      />
      {back !== null && <RollBack state={state} version={back} close={() => setBack(null)} />}
    </>
  );
}

function Compare({ id, versions, hasDraft }: { id: string; versions: string[]; hasDraft: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/routers/$router/versions' });
  const { from, to } = useSearch({ from: '/shell/routers/$router/versions' });
  const options = [
    ...(hasDraft ? [{ value: 'draft', label: t('routers.try.versions.draft') }] : []),
    { value: 'live', label: t('routers.try.versions.live') },
    ...versions.map((value) => ({ value, label: t('routers.version_n', { n: value }) })),
  ];
  const both = from !== undefined && to !== undefined;
  const diff = useQuery({ ...routerDiffQuery(id, { from: from ?? '', to: to ?? '' }), enabled: both });
  const choose = (key: 'from' | 'to') => (value: string | null) =>
    void navigate({ search: { from, to, [key]: value ?? undefined } });
  return (
    <Section title={t('routers.compare')}>
      <Group mb="sm">
        <Select label={t('routers.from')} data={options} value={from ?? null} onChange={choose('from')} />
        <Select label={t('routers.to')} data={options} value={to ?? null} onChange={choose('to')} />
      </Group>
      {both && diff.isPending && <Loading />}
      {diff.error !== null && <Problem error={diff.error} title={t('common.failed')} />}
      {both && diff.data !== undefined && <Changes changes={diff.data.changes} />}
    </Section>
  );
}

function RollBack({ state, version, close }: { state: RouterState; version: number; close: () => void }) {
  const { t } = useTranslation();
  useReturnFocus();
  const client = useQueryClient();
  const { id, name } = state.live.value;
  const diff = useQuery(routerDiffQuery(id, { from: 'live', to: String(version), etag: state.live.etag }));
  const rollBack = useMutation({
    mutationFn: () =>
      answer<unknown>(
        api.POST('/routers/{routerId}/rollback', {
          params: { path: { routerId: id }, header: { 'If-Match': state.live.etag } },
          body: { version },
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['routers'] });
      close();
    },
  });
  return (
    <Confirm
      opened
      close={close}
      title={t('routers.roll_back_title', { name, version })}
      action={t('routers.roll_back')}
      run={() => rollBack.mutate()}
      disabled={diff.data === undefined}
      running={rollBack.isPending}
      error={rollBack.error}
    >
      {t('routers.roll_back_text')}
      {diff.isPending && <Loading />}
      {diff.error !== null && <Problem error={diff.error} />}
      {diff.data !== undefined && <Changes changes={diff.data.changes} />}
    </Confirm>
  );
}
