import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AppLink } from '../../parts/app-link';
import { Page } from '../../parts/page';
import { TabLinks } from '../../parts/tab-links';

export const SECTIONS = ['members', 'clients', 'teams', 'fields', 'capacities'] as const;
export type SettingsSection = (typeof SECTIONS)[number];

interface SettingsFrameProps {
  section: SettingsSection;
  actions?: ReactNode;
  children: ReactNode;
}

/** What all pages of the settings have: the ways between them. */
export function SettingsFrame({ section, actions, children }: SettingsFrameProps) {
  const { t } = useTranslation();
  return (
    <Page title={t(`settings.${section}.title`)} about={t(`settings.${section}.about`)} actions={actions}>
      <TabLinks label={t('shell.pages.settings')}>
        {SECTIONS.map((key) => (
          <AppLink key={key} to={`/settings/${key}`} activeOptions={{ includeSearch: false }}>
            {t(`settings.${key}.title`)}
          </AppLink>
        ))}
      </TabLinks>
      {children}
    </Page>
  );
}
