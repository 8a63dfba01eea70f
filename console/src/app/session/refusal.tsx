import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Why the sign-in by the company's provider was refused, by the code that the service sent. */
export function Refusal({ code }: { code: string }) {
  const { t } = useTranslation();
  const other = t('session.refusals.other', { code });
  return (
    <Alert variant="default" title={t('session.refused')} role="alert">
      {t(`session.refusals.${code as 'unknown'}`, { defaultValue: other })}
    </Alert>
  );
}
