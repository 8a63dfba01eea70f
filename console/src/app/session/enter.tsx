import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { isSessionEnd } from '../../api/errors';
import { queries, sessionQuery } from '../../api/queries';
import { messageOf } from '../../parts/problem';
import { EntryCard } from './entry-card';
import { tellTabs } from './session-events';
import { SignIn } from './sign-in';
import { forgetToken, takenToken } from './token';

/** Exchanges the token of a one-time link, after a click: what follows links by itself must not use it up. */
export default function Enter() {
  const { t } = useTranslation();
  const { refused } = useSearch({ from: '/enter' });
  const navigate = useNavigate();
  const [token] = useState<string | null>(takenToken);
  const { data: session } = useQuery(sessionQuery);
  const enter = useMutation({
    mutationFn: (token: string) => answer(api.POST('/console/session', { body: { token } })),
    onSuccess: (session) => {
      forgetToken();
      queries.clear();
      queries.setQueryData(sessionQuery.queryKey, session);
      tellTabs('entered');
      void navigate({ to: '/' });
    },
  });
  if (token === null && (refused !== undefined || session?.signed_in !== true))
    return <SignIn refused={refused} />;
  return (
    <EntryCard title={t('session.enter_title')}>
      <Stack>
        <Text>{token === null ? t('session.close_window') : t('session.enter_text')}</Text>
        {enter.error !== null && (
          <Alert variant="default" role="alert">
            {isSessionEnd(enter.error) ? t('session.link_refused') : messageOf(t, enter.error)}
          </Alert>
        )}
        {token === null ? (
          <Button onClick={() => navigate({ to: '/' })}>{t('shell.to_today')}</Button>
        ) : (
          <Button loading={enter.isPending} onClick={() => enter.mutate(token)} autoFocus>
            {t('session.enter')}
          </Button>
        )}
      </Stack>
    </EntryCard>
  );
}
