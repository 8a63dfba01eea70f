import { useTranslation } from 'react-i18next';

/** Closes a form; with changes it asks first. Cancel says what it does, and asks nothing. */
export function useLeave(isChanged: boolean, close: () => void): () => void {
  const { t } = useTranslation();
  return () => {
    if (!isChanged || window.confirm(t('common.leave'))) close();
  };
}
