import { Button, Group } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../../api/client';
import { useAccess } from '../../../app/access';
import { AskButton } from '../../../parts/ask-button';
import { Page } from '../../../parts/page';
import { Problem } from '../../../parts/problem';
import { Loading } from '../../../parts/states';
import { NewRouter } from '../edit/new-router';
import { RenameRouter } from '../edit/rename-router';
import { pendingOf, routerStateQuery, type RouterState } from '../queries';
import { TabLinks } from '../../../parts/tab-links';
import { AppLink } from '../../../parts/app-link';

const TABS = [
  { key: 'route', to: '/routers/$router' },
  { key: 'publish', to: '/routers/$router/publish' },
  { key: 'versions', to: '/routers/$router/versions' },
  { key: 'fairness', to: '/routers/$router/fairness' },
] as const;

/** What all pages of a router have: its name and state, the ways between them, and its actions. */
export function RouterFrame({ id, children }: { id: string; children: (state: RouterState) => ReactNode }) {
  const { t } = useTranslation();
  const may = useAccess();
  const { data, error, isPending, refetch } = useQuery(routerStateQuery(id));
  if (isPending) return <Loading />;
  if (data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  const { value: router } = data.live;
  const state = router.archived !== false ? 'is_archived' : router.is_published ? 'is_live' : 'is_off';
  return (
    <Page
      title={pendingOf(data).value.name}
      about={[
        t(`common.types.${router.object_type}`),
        t(`routers.${state}`),
        ...(data.draft ? [t('routers.has_draft')] : []),
      ].join(' · ')}
      actions={may('manage') && router.archived === false && <Actions state={data} />}
    >
      <TabLinks label={t('routers.pages')}>
        {TABS.filter(({ key }) => key !== 'publish' || may('manage')).map(({ key, to }) => (
          <AppLink
            key={key}
            to={to}
            params={{ router: id }}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            {t(`routers.tabs.${key}`)}
          </AppLink>
        ))}
        <AppLink to="/assignments" search={{ router: id }}>
          {t('routers.tabs.log')}
        </AppLink>
      </TabLinks>
      {children(data)}
    </Page>
  );
}

type Dialog = 'copy' | 'rename';

function Actions({ state }: { state: RouterState }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [dialog, open] = useState<Dialog | null>(null);
  const close = () => open(null);
  const { value: router, etag } = pendingOf(state);
  const { name } = router;
  const params = { path: { routerId: router.id }, header: { 'If-Match': etag } };
  const stale = () => client.invalidateQueries({ queryKey: ['routers'] });
  const unpublish = async () => {
    await answer<unknown>(api.POST('/routers/{routerId}/unpublish', { params }));
    await stale();
  };
  const archive = async () => {
    await answer<unknown>(api.DELETE('/routers/{routerId}', { params }));
    await stale();
    void navigate({ to: '/routers' });
  };
  return (
    <Group gap="xs">
      {(['rename', 'copy'] as const).map((what) => (
        <Button key={what} variant="default" size="xs" onClick={() => open(what)}>
          {t(`routers.${what}`)}
        </Button>
      ))}
      {state.live.value.is_published && (
        <AskButton
          action={t('routers.unpublish')}
          title={t('routers.unpublish_title', { name })}
          act={unpublish}
        >
          {t('routers.unpublish_text')}
        </AskButton>
      )}
      <AskButton action={t('routers.archive')} title={t('routers.archive_title', { name })} act={archive}>
        {t('routers.archive_text')}
      </AskButton>
      {dialog === 'copy' && <NewRouter close={close} from={router} />}
      {dialog === 'rename' && <RenameRouter tag={pendingOf(state)} close={close} />}
    </Group>
  );
}
