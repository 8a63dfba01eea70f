import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api, type Tagged } from '../../api/client';
import type { User } from '../../api/types';
import { AskButton } from '../../parts/ask-button';

/** Archives somebody who leaves. Refused, with what names them, while they have records or are in a pool. */
export function ArchivePerson({ tag: { value: user, etag } }: { tag: Tagged<User> }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const archive = async () => {
    const params = { path: { userId: user.id }, header: { 'If-Match': etag } };
    await answer<unknown>(api.DELETE('/users/{userId}', { params }));
    await client.invalidateQueries({ queryKey: ['users'] });
  };
  return (
    <AskButton
      action={t('people.one.archive')}
      title={t('people.one.archive_title', { name: user.name ?? user.email })}
      act={archive}
    >
      {t('people.one.archive_text')}
    </AskButton>
  );
}
