import { Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PersonFormProps } from './person-editor';

/** Edits what a person is called, and their e-mail, which then changes wherever it stands. */
export function BasicsForm({ value, set, error }: PersonFormProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('people.one.keys.name')}
        value={value.name ?? ''}
        onChange={(event) => set({ name: event.currentTarget.value || null })}
        error={error('name')}
        data-autofocus
      />
      <TextInput
        type="email"
        label={t('people.one.keys.email')}
        value={value.email ?? ''}
        onChange={(event) => set({ email: event.currentTarget.value })}
        error={error('email')}
      />
      <Text size="xs" c="dimmed">
        {t('people.one.email_about')}
      </Text>
    </>
  );
}
