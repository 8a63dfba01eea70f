import { Alert, Anchor, Button, Code, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api, CONSOLE } from '../../api/client';
import { sessionQuery } from '../../api/queries';
import type { ConsoleSession } from '../../api/types';
import { EntryCard } from './entry-card';
import { Refusal } from './refusal';
import { tellTabs } from './session-events';

/** Where the provider is asked. Afterwards it comes back to a page of the console. */
export function providerAddress(to: string): string {
  const address = new URL('oidc/start', CONSOLE);
  address.searchParams.set('to', to);
  return address.href;
}

/** What somebody sees who is not signed in, whichever page they wanted. */
export function SignIn({ refused }: { refused?: string | undefined }) {
  const { t } = useTranslation();
  const { data } = useQuery(sessionQuery);
  const isEntry = /\/enter$/.test(location.pathname);
  const to = isEntry ? CONSOLE.pathname : location.pathname + location.search;
  return (
    <EntryCard title={t('session.title')}>
      <Stack>
        <Text>{t('session.product')}</Text>
        {refused !== undefined && <Refusal code={refused} />}
        {data !== undefined && <Accounts session={data} />}
        {data?.oidc === true && (
          <Button component="a" href={providerAddress(to)} fullWidth>
            {t('session.provider')}
          </Button>
        )}
        <Text size="sm">{t('session.no_provider')}</Text>
        <Code block>fairlead console link --account … --email …</Code>
        <Text size="sm" c="dimmed">
          {t('session.link_valid')}
        </Text>
      </Stack>
    </EntryCard>
  );
}

/** Who has come from the provider may have several accounts to choose from. */
function Accounts({ session: { accounts } }: { session: ConsoleSession }) {
  const { t } = useTranslation();
  const choose = useMutation({
    mutationFn: (account: string) => answer(api.POST('/console/session', { body: { account } })),
    onSuccess: () => {
      tellTabs('entered');
      location.reload();
    },
  });
  if (accounts.length === 0) return null;
  return (
    <Stack gap="xs" role="group" aria-label={t('session.accounts')}>
      <Text fw={600}>{t('session.accounts')}</Text>
      {accounts.map(({ id, name }) => (
        <Button key={id} variant="default" loading={choose.isPending} onClick={() => choose.mutate(id)}>
          {name}
        </Button>
      ))}
    </Stack>
  );
}

/** Where the service does not answer at the start. */
export function NoSession({ retry }: { retry: () => void }) {
  const { t } = useTranslation();
  return (
    <EntryCard title={t('common.failed')}>
      <Alert variant="default" role="alert">
        {t('common.unreachable')}{' '}
        <Anchor component="button" onClick={retry}>
          {t('common.retry')}
        </Anchor>
      </Alert>
    </EntryCard>
  );
}
