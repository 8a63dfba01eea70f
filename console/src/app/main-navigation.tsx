import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Me } from '../api/types';
import classes from './main-navigation.module.css';
import { PAGES } from './navigation';
import type { Scope } from './access';

export function MainNavigation({ me }: { me: Me }) {
  const { t } = useTranslation();
  const may = (scope: Scope) => me.scopes.includes(scope);
  return (
    <>
      <ul className={classes.pages}>
        {PAGES.filter(({ scope }) => may(scope)).map(({ key, to }) => (
          <li key={key}>
            <Link
              to={to}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              className={classes.page}
            >
              {t(`shell.pages.${key}`)}
            </Link>
          </li>
        ))}
      </ul>
      <Text size="xs" c="dimmed" mt="auto" px="sm">
        {t('shell.release', { release: me.release })}
      </Text>
    </>
  );
}
