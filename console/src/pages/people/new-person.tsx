import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { ApiError } from '../../api/errors';
import { Dialog } from '../../parts/dialog';
import { EditForm } from '../../parts/edit-form';

/** The zone of the browser: most people whom somebody adds are in their own. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Adds a person, and opens their page. One who was archived comes back with what they had. Rendered while it
 * is open.
 */
export function NewPerson({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [draft, setDraft] = useState({ email: '', name: '', timezone: ZONE });
  const { email, name, timezone } = draft;
  const creation = useMutation({
    mutationFn: () => answer(api.POST('/users', { body: { email, timezone, ...(name !== '' && { name }) } })),
    onSuccess: async ({ id }) => {
      close();
      await client.invalidateQueries({ queryKey: ['users'] });
      void navigate({ to: '/people/$person', params: { person: id } });
    },
  });
  const { error } = creation;
  const wrong = (key: string) => (error instanceof ApiError ? error.at(key) : undefined);
  const isShown = Object.keys(draft).some((key) => wrong(key) !== undefined);
  const field = (key: keyof typeof draft, label: string, options = {}) => (
    <TextInput
      label={label}
      value={draft[key]}
      error={wrong(key)}
      onChange={(event) => setDraft({ ...draft, [key]: event.currentTarget.value })}
      {...options}
    />
  );
  return (
    <Dialog title={t('people.new')} close={close}>
      <EditForm
        submit={() => creation.mutate()}
        close={close}
        saving={creation.isPending}
        error={error}
        isShown={isShown}
      >
        {field('email', t('people.one.keys.email'), {
          type: 'email',
          required: true,
          'data-autofocus': true,
        })}
        {field('name', t('people.one.keys.name'))}
        {field('timezone', t('people.one.timezone'))}
      </EditForm>
    </Dialog>
  );
}
