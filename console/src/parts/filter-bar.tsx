import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { keepFocus } from './keep-focus';
import classes from './filter-bar.module.css';

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
    <div role="search" aria-label={t('common.filters')} className={classes.bar}>
      {children}
      {active && (
        <Button variant="subtle" size="sm" onClick={(event) => keepFocus(event.currentTarget, clear)}>
          {t('common.clear')}
        </Button>
      )}
    </div>
  );
}
