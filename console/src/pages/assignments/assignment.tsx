import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { routerNameQuery } from '../../api/named';
import type { Assignment } from '../../api/types';
import { explain, peopleIn, sentence } from '../../model/explain';
import { AppLink } from '../../parts/app-link';
import { CopyId } from '../../parts/copy-id';
import { Json } from '../../parts/json';
import { PersonLink, RecordLink, RouterLink } from '../../parts/links';
import { useSay } from '../../parts/names';
import { Page, Section } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { Empty, Loading } from '../../parts/states';
import { Time } from '../../parts/time';
import classes from './assignment.module.css';
import { useRecordNames } from './assignment-table';
import { TraceLines } from '../../parts/trace-lines';

/** Why one record went to somebody, or to nobody: in a sentence, then step by step. */
export default function AssignmentPage() {
  const { assignment: id } = useParams({ from: '/shell/assignments/$assignment' });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['assignments', id],
    queryFn: () => answer(api.GET('/assignments/{assignmentId}', { params: { path: { assignmentId: id } } })),
    staleTime: Infinity,
  });
  if (isPending) return <Loading />;
  if (data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  return <Decision assignment={data} />;
}

function Decision({ assignment }: { assignment: Assignment }) {
  const { t } = useTranslation();
  const { user, trace, rule, router_id, object_id, object_type } = assignment;
  const steps = trace ?? [];
  const say = useSay([...new Set([...(user === null ? [] : [user]), ...peopleIn(steps)])]);
  const router = useQuery(routerNameQuery(router_id)).data;
  const name = useRecordNames([assignment])[object_id];
  const record = name ?? `${t(`common.type.${object_type}`)} …${object_id.slice(-8)}`;
  const pool = rule ?? router?.name ?? '…';
  return (
    <Page
      title={t('assignments.one.title', {
        record,
        user: user === null ? t('common.nobody') : say.person(user),
      })}
      about={
        <AppLink to="/assignments" search={{ record: object_id }}>
          {t('assignments.one.same_record')}
        </AppLink>
      }
    >
      <p className={classes.sentence}>{sentence({ ...assignment, pool }, say)}</p>
      <Facts assignment={assignment} name={name} />
      {trace === null ? (
        <Empty title={t('assignments.one.pruned')}>{t('assignments.one.pruned_text')}</Empty>
      ) : (
        <Section title={t('assignments.one.steps')}>
          <TraceLines lines={explain(steps, say)} objectType={object_type} say={say} />
        </Section>
      )}
      <Json label={t('assignments.one.json')} value={assignment} />
    </Page>
  );
}

function Facts({ assignment, name }: { assignment: Assignment; name: string | undefined }) {
  const { t } = useTranslation();
  const { router_version: version, previous_user: previous } = assignment;
  return (
    <dl className={classes.facts}>
      <dt>{t('assignments.one.decided')}</dt>
      <dd>
        <Time at={assignment.created_at} />
      </dd>
      <dt>{t('assignments.one.record')}</dt>
      <dd>
        <RecordLink type={assignment.object_type} id={assignment.object_id} name={name} />{' '}
        <Text span size="sm" c="dimmed">
          {t(`common.type.${assignment.object_type}`)}
        </Text>
      </dd>
      <dt>{t('assignments.router')}</dt>
      <dd>
        <RouterLink id={assignment.router_id} />{' '}
        <Text span size="sm" c="dimmed">
          {version === null
            ? t('assignments.one.unpublished')
            : t('assignments.one.router_version', { version })}
        </Text>
      </dd>
      <dt>{t('assignments.one.previous')}</dt>
      <dd>{previous === null ? t('common.none') : <PersonLink email={previous} named />}</dd>
      <dt>{t('assignments.one.said')}</dt>
      <dd>{assignment.message}</dd>
      <dt>{t('assignments.one.id')}</dt>
      <dd>
        <CopyId id={assignment.id} />
      </dd>
    </dl>
  );
}
