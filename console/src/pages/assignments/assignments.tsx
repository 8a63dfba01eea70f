import { Switch, Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/page';
import { AssignmentList } from './assignment-list';
import { CsvButton } from './csv-button';
import { filterOf, VIEWS, type AssignmentSearch } from './filter';
import { Filters } from './filters';
import { Summary } from './summary';

export default function Assignments() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/shell/assignments' });
  const navigate = useNavigate({ from: '/assignments' });
  const words = JSON.stringify(search);
  // A span ends when its address was opened: the pages of one list are of one question.
  const filter = useMemo(() => filterOf(JSON.parse(words) as AssignmentSearch, new Date()), [words]);
  const { view = 'list', follow = false } = search;
  const set = (changes: AssignmentSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true, resetScroll: false });
  return (
    <Page
      title={t('assignments.title')}
      about={t('assignments.about')}
      actions={
        view === 'list' && (
          <>
            <Switch
              label={t('assignments.follow')}
              title={t('assignments.follow_about')}
              checked={follow}
              onChange={(event) => set({ follow: event.currentTarget.checked || undefined })}
            />
            <CsvButton filter={filter} />
          </>
        )
      }
    >
      <Filters search={search} set={set} />
      <Tabs
        value={view}
        onChange={(next) => set({ view: VIEWS.find((word) => word === next && word !== 'list') })}
      >
        <Tabs.List mb="sm" aria-label={t('assignments.view')}>
          {VIEWS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`assignments.views.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={view}>
          {view === 'list' ? (
            <AssignmentList filter={filter} follow={follow} />
          ) : (
            <Summary by={view} filter={filter} search={search} />
          )}
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
