import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { keepFocus } from './keep-focus';

/** Takes a part out of a form. */
export function RemoveButton({ label, remove }: { label: string; remove: () => void }) {
  const { t } = useTranslation();
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={label}
      onClick={(event) => keepFocus(event.currentTarget, remove)}
    >
      {t('common.remove')}
    </Button>
  );
}
