import { Button, Grid, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccess } from '../../app/access';
import { useFormats } from '../../i18n/format';
import { Collision } from '../../parts/collision';
import { PersonLink } from '../../parts/links';
import { Problem } from '../../parts/problem';
import { TriggerEditor } from '../../parts/conditions/trigger-editor';
import { useDraft } from './edit/use-draft';
import { changedParts, contentOf, partsWith, type Content, type Part } from './model/content';
import { stagesOf } from './model/stages';
import type { Field } from '../../api/types';
import { RouterFrame } from './parts/frame';
import { PartCard } from './parts/part-card';
import classes from './parts/part-card.module.css';
import { RulesWords } from './parts/rules-words';
import { StagesWords } from './parts/words';
import { useConflictWords } from './parts/conflict-words';
import { TriggerWords } from '../../parts/conditions/condition-words';
import { fieldsQuery } from '../../api/fields';
import type { RouterState } from './queries';
import { TryIt } from './try/try-it';
import { AppLink } from '../../parts/app-link';

// Read when somebody edits.
const flags = () => import('./edit/flags');
const OwnersEditor = lazy(async () => ({ default: (await flags()).OwnersEditor }));
const MatchingEditor = lazy(async () => ({ default: (await flags()).MatchingEditor }));
const NobodyEditor = lazy(async () => ({ default: (await flags()).NobodyEditor }));
const PoolEditor = lazy(async () => ({ default: (await import('./edit/pool-editor')).PoolEditor }));
const RulesEditor = lazy(async () => ({ default: (await import('./edit/rules-editor')).RulesEditor }));
const StepsEditor = lazy(async () => ({ default: (await import('./edit/steps-editor')).StepsEditor }));

/** The order of a decision of a router as one page in words, edited in place and tried beside it. */
export default function RoutePage() {
  const { router } = useParams({ from: '/shell/routers/$router' });
  return <RouterFrame id={router}>{(state) => <Route key={router} state={state} />}</RouterFrame>;
}

function Route({ state }: { state: RouterState }) {
  const { t } = useTranslation();
  const may = useAccess();
  const { value: live } = state.live;
  const fields = useQuery({ ...fieldsQuery(live.object_type), enabled: may('records:read') }).data ?? [];
  const draft = useDraft(state);
  const { content, changes, change } = draft;
  const inDraft = useMemo(
    () =>
      state.draft === undefined || !live.is_published
        ? new Set()
        : changedParts(contentOf(live), contentOf(state.draft.value)),
    [live, state.draft],
  );
  // Not against the draft as it is now: what others have saved meanwhile is none of this person’s changes.
  const unsaved = partsWith(Object.keys(changes ?? {}));
  const stages = stagesOf(content);
  const canEdit = may('manage') && live.archived === false;
  const part = (key: Part) => ({
    title: t(`routers.parts.${key}`),
    change: unsaved.has(key) ? ('unsaved' as const) : inDraft.has(key) ? ('draft' as const) : undefined,
  });
  const editor = (node: React.ReactNode) => (canEdit ? { editor: node } : {});
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: may('dispatch') ? 7 : 12 }}>
        <SaveBar draft={draft} state={state} fields={fields} />
        <ol className={classes.parts}>
          <PartCard
            {...part('takes')}
            {...editor(
              <TriggerEditor
                trigger={content.trigger}
                fields={fields}
                onChange={(trigger) => change({ trigger })}
              />,
            )}
          >
            {t(`common.types.${live.object_type}`)}:{' '}
            <TriggerWords trigger={content.trigger} fields={fields} />
          </PartCard>
          <PartCard {...part('owners')} {...editor(<OwnersEditor {...{ content, change, fields }} />)}>
            <OwnersWords content={content} fields={fields} />
          </PartCard>
          {live.object_type === 'contacts' && (
            <PartCard {...part('matching')} {...editor(<MatchingEditor {...{ content, change }} />)}>
              {t(content.account_matching ? 'routers.matches' : 'routers.matches_not')}
            </PartCard>
          )}
          <PartCard
            {...part('rules')}
            {...editor(
              <RulesEditor content={content} fields={fields} onChange={(rules) => change({ rules })} />,
            )}
          >
            <RulesWords content={content} fields={fields} />
          </PartCard>
          <PartCard {...part('pool')} {...editor(<PoolEditor pool={content} onChange={change} />)}>
            {stages[0]?.place === 0 ? (
              <StagesWords stages={stages.slice(0, 1)} />
            ) : (
              t(stages.length === 0 ? 'routers.rules_only' : 'routers.begins_with_steps')
            )}
          </PartCard>
          <PartCard
            {...part('steps')}
            {...editor(
              <StepsEditor
                steps={content.steps ?? []}
                from={content}
                of="router"
                stages={stages}
                onChange={(steps) => change({ steps })}
              />,
            )}
          >
            {(content.steps ?? []).length === 0 && t('routers.no_steps')}
            <StagesWords stages={stages.filter(({ place }) => place > 0)} />
          </PartCard>
          <PartCard {...part('nobody')} {...editor(<NobodyEditor {...{ content, change }} />)}>
            <NobodyWords content={content} />
          </PartCard>
        </ol>
      </Grid.Col>
      {may('dispatch') && (
        <Grid.Col span={{ base: 12, md: 5 }}>
          <TryIt state={state} content={content} changes={changes} fields={fields} />
        </Grid.Col>
      )}
    </Grid>
  );
}

interface SaveBarProps {
  draft: ReturnType<typeof useDraft>;
  state: RouterState;
  fields: readonly Field[];
}

/** What is not saved, and what waits to be published. */
function SaveBar({ draft, state, fields }: SaveBarProps) {
  const { t } = useTranslation();
  const may = useAccess();
  const { list } = useFormats();
  const { changes, collision } = draft;
  const conflictWords = useConflictWords(collision?.base, fields);
  const bar = useRef<HTMLDivElement>(null);
  // The button is gone then: what has come in its place gets the focus.
  const save = () => draft.save().then(() => bar.current?.focus());
  const nameOf = (key: string) => t(`routers.keys.${key as 'overwrite'}`, { defaultValue: key });
  return (
    <div ref={bar} tabIndex={-1} className={classes.bar}>
      {changes !== undefined && (
        <Group className="banner" mb="sm" gap="xs" role="status">
          <Text size="sm">{t('routers.unsaved', { what: list(Object.keys(changes).map(nameOf)) })}</Text>
          <Button size="xs" loading={draft.saving} onClick={() => void save().catch(() => undefined)}>
            {t('routers.save_draft')}
          </Button>
          <Button size="xs" variant="default" onClick={draft.discard}>
            {t('routers.drop')}
          </Button>
        </Group>
      )}
      {changes === undefined && state.draft !== undefined && (
        <Text size="sm" mb="sm">
          {t('routers.draft_waits')}{' '}
          {may('manage') && (
            <AppLink to="/routers/$router/publish" params={{ router: state.draft.value.id }}>
              {t('routers.review')}
            </AppLink>
          )}
        </Text>
      )}
      {draft.error !== null && <Problem error={draft.error} title={t('common.failed_save')} />}
      <Collision<Content, Partial<Content>>
        collision={collision}
        nameOf={nameOf}
        show={conflictWords}
        resolve={(chosen) => void draft.resolve(chosen)}
        goBack={draft.goBack}
      />
    </div>
  );
}

function OwnersWords({ content, fields }: { content: Content; fields: readonly Field[] }) {
  const { t } = useTranslation();
  const {
    owner_field: name,
    overwrite,
    overwrite_if_unavailable,
    reimburse_within_minutes: minutes = 0,
  } = content;
  const field = fields.find(({ internal_name }) => internal_name === name)?.label ?? name;
  const replaces = overwrite
    ? 'replaces'
    : overwrite_if_unavailable
      ? 'replaces_unavailable'
      : 'replaces_not';
  return (
    <>
      {t(`routers.${replaces}`, { field })}
      {minutes > 0 && ` ${t('routers.gives_back', { count: minutes })}`}
    </>
  );
}

function NobodyWords({ content }: { content: Content }) {
  const { t } = useTranslation();
  const { default_user: backup, disable_default_assignment: isOff, ignore_working_hours } = content;
  return (
    <>
      {ignore_working_hours && <div>{t('routers.ignores_hours')}</div>}
      <div>
        {backup === null || isOff ? (
          t('routers.no_backup')
        ) : (
          <>
            {t('routers.backup_is')} <PersonLink email={backup} named />
            {content.default_user_must_be_available === true && `, ${t('routers.if_available')}`}
          </>
        )}
      </div>
    </>
  );
}
