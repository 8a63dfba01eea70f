import { Button, Kbd } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  Spotlight,
  spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { routersQuery, usersQuery } from '../api/queries';
import { findRecords } from '../api/find-records';
import { useAccess } from './access';
import { PAGES } from './navigation';

const IS_MAC = /mac/i.test(navigator.userAgent);

export function CommandButton() {
  const { t } = useTranslation();
  return (
    <Button variant="default" size="xs" onClick={spotlight.open} aria-keyshortcuts="Control+K">
      {t('shell.find_short')}
      <Kbd size="xs" ml="xs" visibleFrom="sm">
        {IS_MAC ? '⌘ K' : 'Ctrl K'}
      </Kbd>
    </Button>
  );
}

/** Goes anywhere by the keyboard: to pages, routers, people, and records by their e-mail or id. */
export function CommandMenu() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useAccess();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 200);
  const searching = q.length > 1;
  const routers = useQuery({ ...routersQuery(q), enabled: searching && may('routers:read') });
  const people = useQuery({ ...usersQuery(q), enabled: searching && may('directory:read') });
  const records = useQuery({
    queryKey: ['find-records', q],
    queryFn: () => findRecords(q),
    enabled: searching && may('records:read'),
  });
  const isAsking = typed.trim() !== q || [routers, people, records].some(({ isFetching }) => isFetching);

  const pages = PAGES.filter(({ scope }) => may(scope)).map(({ key, to }) => ({
    id: `page-${key}`,
    label: t(`shell.pages.${key}`),
    onClick: () => void navigate({ to }),
  }));
  const matching = pages.filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase()));
  const groups: [string, SpotlightActionData[]][] = [
    [t('shell.found.pages'), matching],
    [
      t('shell.found.routers'),
      (searching ? (routers.data?.data ?? []) : []).slice(0, 6).map(({ id, name, object_type }) => ({
        id: `router-${id}`,
        label: name,
        description: t(`common.types.${object_type}`),
        onClick: () => void navigate({ to: '/routers/$router', params: { router: id } }),
      })),
    ],
    [
      t('shell.found.people'),
      (searching ? (people.data?.data ?? []) : []).slice(0, 6).map(({ id, name, email }) => ({
        id: `person-${id}`,
        label: name ?? email,
        description: email,
        onClick: () => void navigate({ to: '/people/$person', params: { person: id } }),
      })),
    ],
    [
      t('shell.found.records'),
      (searching ? (records.data ?? []) : []).map(({ type, id, name }) => ({
        id: `record-${id}`,
        label: name,
        description: t(`common.type.${type}`),
        onClick: () => void navigate({ to: '/records/$type/$record', params: { type, record: id } }),
      })),
    ],
  ];
  const actions: SpotlightActionGroupData[] = groups
    .filter(([, found]) => found.length > 0)
    .map(([group, found]) => ({ group, actions: found }));

  return (
    <Spotlight
      actions={actions}
      filter={(_, all) => all}
      query={typed}
      onQueryChange={setTyped}
      shortcut="mod + K"
      nothingFound={isAsking ? t('common.loading') : t('shell.find_nothing')}
      overlayProps={{ blur: 0 }}
      scrollable
      maxHeight={420}
      attributes={{ content: { 'aria-label': t('shell.find'), 'aria-busy': isAsking } }}
      searchProps={{ placeholder: t('shell.find_placeholder'), 'aria-label': t('shell.find') }}
    />
  );
}
