import { UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { Spoken } from './states';

/** An id, cut; a click copies all of it. */
export function CopyId({ id }: { id: string }) {
  const { t } = useTranslation();
  const { copy, copied } = useClipboard();
  return (
    <>
      <UnstyledButton onClick={() => copy(id)} title={id} fz="sm" ff="monospace" c="dimmed">
        <span className="spoken">{t('common.copy_id')}</span>{' '}
        {copied ? t('common.copied') : `…${id.slice(-8)}`}
      </UnstyledButton>
      {copied && <Spoken>{t('common.copied')}</Spoken>}
    </>
  );
}
