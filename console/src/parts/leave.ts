import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

/** Closes a form; with changes it asks first, also before Back and reload. Cancel asks nothing. */
export function useLeave(isChanged: boolean, close: () => void): () => void {
  const { t } = useTranslation();
  const isSure = () => window.confirm(t('common.leave'));
  useBlocker({
    // What is saved closes by an address of its own.
    shouldBlockFn: ({ action }) => isChanged && (action === 'BACK' || action === 'FORWARD') && !isSure(),
    enableBeforeUnload: isChanged,
  });
  return () => {
    if (!isChanged || isSure()) close();
  };
}
