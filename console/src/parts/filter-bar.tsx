import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface FilterBarProps {
  /** Whether something is filtered. */
  active: boolean;
  clear: () => void;
  children: ReactNode;
}

/** The filters of a list. Their values are in the address, so that back, reload and a sent link keep them. */
export function FilterBar({ active, clear, children }: FilterBarProps) {
  const { t } = useTranslation();
  return (
    <Group role="search" aria-label={t('common.filters')} gap="xs" mb="md" align="flex-end">
      {children}
      {active && (
        <Button variant="subtle" size="sm" onClick={clear}>
          {t('common.clear')}
        </Button>
      )}
    </Group>
  );
}
