import { Button, Group, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import type { Router } from '../../api/types';
import { useAccess } from '../../app/access';
import { isOutdated } from '../../api/errors';
import { AskButton } from '../../parts/ask-button';
import { Section } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { Empty, Loading } from '../../parts/states';
import { Changes } from '../../parts/changes';
import { RouterFrame } from './parts/frame';
import { pendingOf, routerDiffQuery, routerVersionsQuery, type RouterState } from './queries';

/** What a publication changes, what keeps it back or should be known before, and its note. */
export default function Publish() {
  const { router } = useParams({ from: '/shell/routers/$router/publish' });
  return <RouterFrame id={router}>{(state) => <Publication state={state} />}</RouterFrame>;
}

function Publication({ state }: { state: RouterState }) {
  const { t } = useTranslation();
  const may = useAccess();
  const { is_published: isLive, id, archived } = state.live.value;
  const pending = pendingOf(state);
  const waits = archived === false && (state.draft !== undefined || !isLive);
  const versions = useQuery(routerVersionsQuery(id));
  const isFirst = versions.data?.data.length === 0;
  const diff = useQuery({
    // Of the draft that will be published, and of none before it.
    ...routerDiffQuery(id, { from: 'live', to: 'draft', etag: pending.etag }),
    enabled: waits && state.draft !== undefined && versions.data !== undefined && !isFirst,
  });
  const isSeen =
    versions.data !== undefined &&
    (isFirst || state.draft === undefined || (diff.data !== undefined && diff.error === null));
  const trial = useQuery({
    queryKey: ['routers', id, 'publish', pending.etag],
    queryFn: () => publish(id, pending.etag, { dry_run: true }),
    enabled: waits && may('manage'),
    retry: false,
  });
  if (!waits) return <Empty title={t('routers.nothing_waits')}>{t('routers.nothing_waits_text')}</Empty>;
  const warnings = trial.data?.warnings ?? [];
  return (
    <>
      <Section title={t('routers.changes')}>
        {isFirst && <Text size="sm">{t('routers.first_publication')}</Text>}
        {(versions.isLoading || diff.isLoading) && <Loading />}
        {versions.error !== null && <Problem error={versions.error} />}
        {diff.error !== null && <Problem error={diff.error} />}
        {diff.data !== undefined && <Changes changes={diff.data.changes} />}
      </Section>
      {warnings.length > 0 && (
        <Section title={t('routers.warnings')}>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Section>
      )}
      {trial.error !== null && <Problem error={trial.error} title={t('routers.cannot_publish')} />}
      {may('manage') && <PublishForm state={state} blocked={!trial.isSuccess || !isSeen} />}
    </>
  );
}

interface PublishOptions {
  dry_run?: true;
  note?: string;
}

function publish(id: string, etag: string, { dry_run, note }: PublishOptions) {
  const params = {
    path: { routerId: id },
    header: { 'If-Match': etag },
    ...(dry_run && { query: { dry_run } }),
  };
  const body = note === undefined || note === '' ? {} : { note };
  return answer<Router>(api.POST('/routers/{routerId}/publish', { params, body }));
}

function PublishForm({ state, blocked }: { state: RouterState; blocked: boolean }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [note, setNote] = useState('');
  const { value: router, etag } = pendingOf(state);
  // Of this draft, which is none any more, there is nothing to compare or to try again.
  const stale = () =>
    client.invalidateQueries({
      queryKey: ['routers'],
      predicate: ({ queryKey }) => !queryKey.includes(etag),
    });
  const publication = useMutation({
    mutationFn: () => publish(router.id, etag, { note }),
    onSuccess: async () => {
      await navigate({ to: '/routers/$router/versions', params: { router: router.id } });
      await stale();
    },
    // Somebody has changed it meanwhile: the page shows that, and asks again.
    onError: (error) => (isOutdated(error) ? stale() : undefined),
  });
  const discard = async () => {
    const params = { path: { routerId: router.id }, header: { 'If-Match': etag } };
    await answer<unknown>(api.DELETE('/routers/{routerId}/draft', { params }));
    await stale();
  };
  return (
    <Section title={t('routers.tabs.publish')}>
      <Textarea
        label={t('routers.note')}
        description={t('routers.note_text')}
        value={note}
        maxLength={1000}
        onChange={(event) => setNote(event.currentTarget.value)}
        mb="sm"
      />
      {publication.error !== null && (
        <Problem
          error={publication.error}
          title={isOutdated(publication.error) ? t('routers.changed_meanwhile') : t('routers.cannot_publish')}
        />
      )}
      <Group gap="xs">
        <Button disabled={blocked} loading={publication.isPending} onClick={() => publication.mutate()}>
          {t('routers.publish', { name: router.name })}
        </Button>
        {state.draft !== undefined && (
          <AskButton
            size="sm"
            action={t('routers.discard')}
            title={t('routers.discard_title', { name: router.name })}
            act={discard}
          >
            {t('routers.discard_text')}
          </AskButton>
        )}
      </Group>
    </Section>
  );
}
