import { Alert, Anchor, Button, Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CONSOLE } from '../../api/client';
import { sessionQuery } from '../../api/queries';
import { EntryCard } from './entry-card';
import { Refusal } from './refusal';

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
