import { Group, Loader, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AppLink } from './app-link';

export function Loading() {
  const { t } = useTranslation();
  return (
    <Group p="lg" role="status">
      <Loader size="sm" aria-hidden />
      <Text c="dimmed">{t('common.loading')}</Text>
    </Group>
  );
}

/** Where there is nothing: what that means, and the next step. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack gap={4} p="lg" align="flex-start">
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text component="div" c="dimmed" size="sm">
          {children}
        </Text>
      )}
    </Stack>
  );
}

export function NotFound() {
  const { t } = useTranslation();
  return (
    <Stack gap="xs" p="lg" align="flex-start">
      <Title order={1} size="h3">
        {t('shell.not_found')}
      </Title>
      <Text c="dimmed">{t('shell.not_found_text')}</Text>
      <AppLink to="/">{t('shell.to_today')}</AppLink>
    </Stack>
  );
}

/** What changes on a page without its reader doing anything is said by it, for those who do not see it. */
export function Spoken({ children }: { children: ReactNode }) {
  return (
    <div className="spoken" role="status">
      {children}
    </div>
  );
}
