import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useReturnFocus } from './return-focus';

interface DialogProps {
  title: string;
  close: () => void;
  size?: ModalProps['size'];
  children: ReactNode;
}

/** A dialog with a form. Rendered while it is open, so that it begins anew each time. */
export function Dialog({ title, close, size, children }: DialogProps) {
  const { t } = useTranslation();
  useReturnFocus();
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {children}
    </Modal>
  );
}
