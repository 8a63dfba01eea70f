import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Tagged } from '../../../api/client';
import { ApiError } from '../../../api/errors';
import type { Router } from '../../../api/types';
import { Dialog } from '../../../parts/dialog';
import { EditForm } from '../../../parts/edit-form';

/** Gives a router another name. Rendered while it is open. */
export function RenameRouter({ tag: { value, etag }, close }: { tag: Tagged<Router>; close: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [name, setName] = useState(value.name);
  const renaming = useMutation({
    mutationFn: () =>
      answer(
        api.PATCH('/routers/{routerId}', {
          params: { path: { routerId: value.id }, header: { 'If-Match': etag } },
          body: { name },
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['routers'] });
      close();
    },
  });
  const { error } = renaming;
  const wrong = error instanceof ApiError ? error.at('name') : undefined;
  return (
    <Dialog title={t('routers.rename')} close={close}>
      <EditForm
        submit={() => renaming.mutate()}
        close={close}
        saving={renaming.isPending}
        error={error}
        isShown={wrong !== undefined}
      >
        <TextInput
          label={t('routers.name')}
          value={name}
          error={wrong}
          required
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </EditForm>
    </Dialog>
  );
}
