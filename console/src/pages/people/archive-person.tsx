import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api, type Tagged } from '../../api/client';
import type { User } from '../../api/types';
import { Confirm } from '../../parts/confirm';

/** Archives somebody who leaves. Refused, with what names them, while they have records or are in a pool. */
export function ArchivePerson({ tag: { value: user, etag } }: { tag: Tagged<User> }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const archival = useMutation({
    mutationFn: () =>
      answer<unknown>(
        api.DELETE('/users/{userId}', {
          params: { path: { userId: user.id }, header: { 'If-Match': etag } },
        }),
      ),
    onSuccess: async () => {
      close();
      await client.invalidateQueries({ queryKey: ['users'] });
    },
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {t('people.one.archive')}
      </Button>
      <Confirm
        opened={opened}
        close={() => {
          close();
          archival.reset();
        }}
        title={t('people.one.archive_title', { name: user.name ?? user.email })}
        action={t('people.one.archive')}
        run={() => archival.mutate()}
        running={archival.isPending}
        error={archival.error}
      >
        {t('people.one.archive_text')}
      </Confirm>
    </>
  );
}
