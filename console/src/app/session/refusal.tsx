import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const KNOWN = ['not_a_member', 'email_not_verified', 'archived', 'expired', 'provider_unavailable'] as const;

/** Why the provider's answer let nobody in. */
export function Refusal({ code }: { code: string }) {
  const { t } = useTranslation();
  const known = KNOWN.find((word) => word === code);
  return (
    <Alert variant="default" title={t('session.refused')} role="alert">
      {known === undefined ? t('session.refusals.other', { code }) : t(`session.refusals.${known}`)}
    </Alert>
  );
}
