import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem } from './problem';

interface ConfirmProps {
  opened: boolean;
  close: () => void;
  /** What will happen, with the name of the thing: "Archive Inbound?" */
  title: string;
  children?: ReactNode;
  /** The verb of the button. */
  action: string;
  run: () => void;
  /** Until what is to be known before is there. */
  disabled?: boolean;
  running?: boolean;
  error?: unknown;
}

/** Asks before something that cannot be taken back at once. */
export function Confirm({
  opened,
  close,
  title,
  children,
  action,
  run,
  disabled = false,
  running = false,
  error,
}: ConfirmProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack>
        {children !== undefined && <Text component="div">{children}</Text>}
        {error !== undefined && error !== null && <Problem error={error} title={t('common.failed_save')} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {t('common.cancel')}
          </Button>
          <Button color="red.9" disabled={disabled} loading={running} onClick={run}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
