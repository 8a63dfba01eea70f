import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, CONSOLE } from '../../api/client';
import { meQuery, sessionQuery } from '../../api/queries';
import { onTabs, setEnded, useEnded } from './session-events';
import { providerAddress } from './sign-in';

/** Covers the page whose session has ended: the page and its forms stay while somebody signs in again. */
export function SessionEnded() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const ended = useEnded();
  const [checked, setChecked] = useState(false);
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });

  useEffect(() =>
    onTabs((what) => {
      if (what === 'entered') void resume();
      else setEnded(true);
    }),
  );

  // The answer that said so may be to a request from before the person signed in again.
  const check = useEffectEvent(() => void resume());
  useEffect(() => {
    if (ended) check();
  }, [ended]);

  /** Resolves to whether somebody is signed in: then the page goes on. */
  async function resume(): Promise<boolean> {
    const before = client.getQueryData(meQuery.queryKey);
    const me = await answer(api.GET('/me')).catch(() => null);
    if (me === null) return false;
    // Somebody else's forms are not theirs to go on with.
    if (before !== undefined && (before.id !== me.id || before.account.id !== me.account.id)) {
      location.reload();
      return true;
    }
    client.setQueryData(meQuery.queryKey, me);
    setChecked(false);
    setEnded(false);
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
    return true;
  }

  return (
    <Modal
      opened={ended}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('session.ended_title')}
      zIndex={1000}
      // Whoever comes by reads nothing of a page without a session.
      overlayProps={{ backgroundOpacity: 1, color: 'var(--mantine-color-body)' }}
    >
      <Stack>
        <Text>{t('session.ended_text')}</Text>
        {session?.oidc !== true && <Text size="sm">{t('session.ended_link')}</Text>}
        <Group>
          {session?.oidc === true && (
            <Button onClick={() => openWindow()}>{t('session.ended_provider')}</Button>
          )}
          <Button
            variant="default"
            onClick={() => void resume().then((isIn) => setChecked(!isIn))}
            data-autofocus
          >
            {t('session.check_again')}
          </Button>
          <Text size="sm" role="status">
            {checked && t('session.still_out')}
          </Text>
        </Group>
      </Stack>
    </Modal>
  );
}

/** A small window that comes back to a page which tells this one, and closes. */
function openWindow(): void {
  const to = new URL('signed-in', CONSOLE).pathname;
  window.open(providerAddress(to), 'fairlead-sign-in', 'popup,width=520,height=680');
}
