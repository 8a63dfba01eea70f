import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { EntryCard } from './entry-card';
import { tellTabs } from './session-events';

/** Where the provider comes back to in the small window. */
export default function SignedIn() {
  const { t } = useTranslation();
  useEffect(() => {
    tellTabs('entered');
    window.close();
  }, []);
  return (
    <EntryCard title={t('session.enter_title')}>
      <Text>{t('session.close_window')}</Text>
    </EntryCard>
  );
}
