import { Alert, Button, Code, CopyButton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface ShownOnceProps {
  title: string;
  /** What is shown, and copied by a button. */
  secret: string;
  /** What to do with it. */
  about: string;
  close: () => void;
}

/** A secret that the service has told this once. */
export function ShownOnce({ title, secret, about, close }: ShownOnceProps) {
  const { t } = useTranslation();
  return (
    <Alert
      variant="default"
      mb="md"
      role="status"
      title={title}
      withCloseButton
      closeButtonLabel={t('common.close')}
      onClose={close}
    >
      <Code block>{secret}</Code>
      <Text size="sm">{about}</Text>
      <CopyButton value={secret}>
        {({ copied, copy }) => (
          <Button mt="xs" size="xs" variant="default" onClick={copy}>
            {t(copied ? 'common.copied' : 'common.copy')}
          </Button>
        )}
      </CopyButton>
    </Alert>
  );
}
