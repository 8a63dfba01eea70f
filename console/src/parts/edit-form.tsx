import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem } from './problem';

interface EditFormProps {
  submit: () => void;
  close: () => void;
  saving: boolean;
  error: unknown;
  /** Whether a field says already what is wrong. */
  isShown?: boolean;
  /** The verb of the button; left out, that it saves. */
  action?: string;
  /** Whether the service alone says what is wrong with a value. */
  noValidate?: boolean;
  children: ReactNode;
}

/** A form in a dialog: its fields, what is wrong, and the two ways out of it. */
export function EditForm(props: EditFormProps) {
  const { submit, close, saving, error, isShown = false, action, noValidate = false, children } = props;
  const { t } = useTranslation();
  return (
    <form
      noValidate={noValidate}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        {children}
        {error !== null && error !== undefined && !isShown && (
          <Problem error={error} title={t('common.failed_save')} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={saving}>
            {action ?? t('common.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
