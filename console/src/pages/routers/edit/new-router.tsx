import { Select, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../../api/client';
import { ApiError } from '../../../api/errors';
import { OBJECT_TYPES, type ObjectType } from '../../../api/records';
import { Dialog } from '../../../parts/dialog';
import { EditForm } from '../../../parts/edit-form';
import { contentOf } from '../model/content';
import { namesPeople } from '../model/stages';
import type { Router } from '../../../api/types';

interface NewRouterProps {
  close: () => void;
  /** A router whose content the new one begins with. */
  from?: Router;
}

/** Makes a router, as a draft that nobody runs, and opens it. Rendered while it is open. */
export function NewRouter({ close, from }: NewRouterProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [type, setType] = useState<ObjectType>(from?.object_type ?? 'contacts');
  const creation = useMutation({
    mutationFn: () => {
      // A router without a pool of its own is one that has no lists.
      const own = from !== undefined && namesPeople(from) ? contentOf(from) : undefined;
      const lists = own && { users: own.users, teams: own.teams };
      const content = { settings: from?.settings ?? {}, ...lists };
      return answer<Router>(api.POST('/routers', { body: { name, object_type: type, ...content } }));
    },
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['routers'] });
      close();
      void navigate({ to: '/routers/$router', params: { router: id } });
    },
  });
  const error = creation.error instanceof ApiError ? creation.error : null;
  return (
    <Dialog
      title={from === undefined ? t('routers.new') : t('routers.copy_of', { name: from.name })}
      close={close}
    >
      <EditForm
        submit={() => creation.mutate()}
        close={close}
        saving={creation.isPending}
        error={creation.error}
        isShown={error?.at('name') !== undefined}
        action={t('routers.create')}
      >
        <TextInput
          label={t('routers.name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={error?.at('name')}
          required
          data-autofocus
        />
        {from === undefined && (
          <Select
            label={t('routers.type')}
            description={t('routers.type_text')}
            data={OBJECT_TYPES.map((value) => ({ value, label: t(`common.types.${value}`) }))}
            value={type}
            onChange={(value) => value !== null && setType(value)}
            allowDeselect={false}
          />
        )}
      </EditForm>
    </Dialog>
  );
}
