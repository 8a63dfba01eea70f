import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { answer, api, tagged, type Tagged } from '../../api/client';
import type { Now } from '../../api/types';
import { userByEmailQuery } from '../../api/named';
import type { User } from '../../api/types';
import { useAccess } from '../../app/access';
import { AppLink } from '../../parts/app-link';
import { CopyId } from '../../parts/copy-id';
import { Page, Section } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { Loading, NotFound } from '../../parts/states';
import { AssignmentList } from '../assignments/assignment-list';
import { Absences } from './absences';
import { ArchivePerson } from './archive-person';
import { AvailableSwitch, CapacitiesCell, LimitsCell, NowCell, OwnedCell } from './availability';
import { PersonEditor, type Edited } from './person-editor';
import { PersonRouters } from './person-routers';
import { Week } from './week';

/** One person: how things stand now, their hours, absences, limits, routers and latest decisions. */
export default function PersonPage() {
  const { person } = useParams({ from: '/shell/people/$person' });
  const named = useQuery({ ...userByEmailQuery(person), enabled: person.includes('@') });
  const id = person.includes('@') ? named.data?.id : person;
  const tag = useQuery({
    queryKey: ['users', id],
    queryFn: () => tagged(api.GET('/users/{userId}', { params: { path: { userId: id ?? '' } } })),
    enabled: id !== undefined,
  });
  const now = useQuery({
    queryKey: ['users', id, 'now'],
    queryFn: () =>
      answer(
        api.GET('/users/{userId}', { params: { path: { userId: id ?? '' }, query: { expand: 'now' } } }),
      ),
    enabled: id !== undefined,
    refetchInterval: 30_000,
  });
  if (named.data === null) return <NotFound />;
  if (named.error !== null) return <Problem error={named.error} retry={() => void named.refetch()} />;
  if (tag.isPending) return <Loading />;
  if (tag.data === undefined) return <Problem error={tag.error} retry={() => void tag.refetch()} />;
  return <Person tag={tag.data} now={now.data?.now} />;
}

function Person({ tag, now }: { tag: Tagged<User>; now: Now | undefined }) {
  const { t } = useTranslation();
  const user = tag.value;
  const edit = useSearch({ from: '/shell/people/$person' }).edit;
  const navigate = useNavigate({ from: '/people/$person' });
  const open = (next: Edited | undefined) =>
    void navigate({ search: { edit: next }, replace: next === undefined, resetScroll: false });
  const may = useAccess();
  const editable = may('manage') && user.archived === false;
  const button = (what: Edited) =>
    editable && (
      <Button variant="default" size="xs" onClick={() => open(what)}>
        {t(`people.one.edit_${what}`)}
      </Button>
    );
  return (
    <Page
      title={user.name ?? user.email}
      about={
        <>
          {user.email} · <CopyId id={user.id} />
        </>
      }
      actions={
        user.archived === false && (
          <>
            <AvailableSwitch person={user} />
            {button('basics')}
            {may('manage') && <ArchivePerson tag={tag} />}
          </>
        )
      }
    >
      <Section title={t('people.now')} actions={button('limits')}>
        <Stack gap={0}>
          <NowCell person={{ ...user, now }} />
          <LimitsCell now={now} />
          <CapacitiesCell now={now} />
        </Stack>
      </Section>
      <Section title={t('people.one.week')} actions={button('hours')}>
        <Week user={user} />
      </Section>
      <Section title={t('people.one.absences')} actions={button('absences')}>
        <Absences user={user} />
      </Section>
      {may('routers:read') && (
        <>
          <Section title={t('people.one.routers')}>
            <PersonRouters user={user} />
          </Section>
          <Section title={t('people.one.records')}>
            <OwnedCell now={now} email={user.email} />
          </Section>
          <Section
            title={t('people.one.assignments')}
            actions={
              <AppLink to="/assignments" search={{ user: user.email }} fz="sm">
                {t('people.one.all_assignments')}
              </AppLink>
            }
          >
            <AssignmentList filter={{ user: user.email }} limit={10} />
          </Section>
        </>
      )}
      {edit !== undefined && editable && <PersonEditor tag={tag} what={edit} close={() => open(undefined)} />}
    </Page>
  );
}
