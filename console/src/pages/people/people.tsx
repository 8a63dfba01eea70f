import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import type { User } from '../../api/types';
import { useAccess } from '../../app/access';
import { AppLink } from '../../parts/app-link';
import { Choice } from '../../parts/choice';
import { DataTable, type Column } from '../../parts/data-table';
import { FilterBar } from '../../parts/filter-bar';
import { RouterFinder, TeamFinder } from '../../parts/finders';
import { byPages, More } from '../../parts/more';
import { NameFilter } from '../../parts/name-filter';
import { Page } from '../../parts/page';
import { NewPerson } from './new-person';
import { AvailableSwitch, CapacitiesCell, LimitsCell, NowCell, OwnedCell } from './availability';

const REFRESHED = 30_000;

/** Everybody who can get records, with how things stand now. */
export default function People() {
  const { t } = useTranslation();
  const may = useAccess();
  const [opened, { open, close }] = useDisclosure();
  const { q, team, router, eligible } = useSearch({ from: '/shell/people' });
  const filter = {
    ...(q && { q }),
    ...(team && { team }),
    ...(router && { router_id: router }),
    ...(eligible && { eligible }),
  };
  const query = useInfiniteQuery({
    ...byPages,
    queryKey: ['users', 'now', filter],
    queryFn: ({ pageParam: after }) => {
      const page = { limit: 50, expand: 'now' as const, ...(after !== undefined && { after }) };
      return answer(api.GET('/users', { params: { query: { ...page, ...filter } } }));
    },
    refetchInterval: REFRESHED,
    placeholderData: keepPreviousData,
  });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page
      title={t('people.title')}
      about={t('people.about')}
      actions={may('manage') && <Button onClick={open}>{t('people.new')}</Button>}
    >
      {opened && <NewPerson close={close} />}
      <Filters active={isFiltered} />
      <More
        query={query}
        empty={
          isFiltered
            ? { title: t('people.empty'), text: t('people.empty_text') }
            : { title: t('people.empty_all'), text: t('people.empty_all_text') }
        }
      >
        {(rows) => <PeopleTable rows={rows} />}
      </More>
    </Page>
  );
}

function Filters({ active }: { active: boolean }) {
  const { t } = useTranslation();
  const { q, team, router, eligible } = useSearch({ from: '/shell/people' });
  const navigate = useNavigate({ from: '/people' });
  const set = (changes: object) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true, resetScroll: false });
  const none = { q: undefined, team: undefined, router: undefined, eligible: undefined };
  return (
    <FilterBar active={active} clear={() => set(none)}>
      <NameFilter label={t('people.q')} value={q} onChange={(typed) => set({ q: typed })} />
      <TeamFinder label={t('people.team')} value={team} onChange={(value) => set({ team: value })} />
      <RouterFinder label={t('people.router')} value={router} onChange={(value) => set({ router: value })} />
      <Choice
        label={t('people.now')}
        value={eligible}
        onChange={(value) => set({ eligible: value })}
        options={[
          ['true', t('people.available')],
          ['false', t('people.out')],
        ]}
      />
    </FilterBar>
  );
}

function PeopleTable({ rows }: { rows: readonly User[] }) {
  const { t } = useTranslation();
  const columns: Column<User>[] = [
    {
      key: 'person',
      heading: t('people.person'),
      cell: ({ id, name, email }) => (
        <>
          <AppLink to="/people/$person" params={{ person: id }}>
            {name ?? email}
          </AppLink>
          {name !== null && <div className="quiet">{email}</div>}
        </>
      ),
    },
    { key: 'now', heading: t('people.now'), cell: (person) => <NowCell person={person} /> },
    { key: 'limits', heading: t('people.limits'), cell: ({ now }) => <LimitsCell now={now} /> },
    {
      key: 'owned',
      heading: t('people.owned'),
      cell: ({ now, email }) => <OwnedCell now={now} email={email} />,
    },
    { key: 'capacities', heading: t('people.capacities'), cell: ({ now }) => <CapacitiesCell now={now} /> },
    { key: 'on', heading: t('people.on'), cell: (person) => <AvailableSwitch person={person} /> },
  ];
  return <DataTable label={t('people.title')} columns={columns} rows={rows} rowKey={({ id }) => id} />;
}
