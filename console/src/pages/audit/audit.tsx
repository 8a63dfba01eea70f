import { Text, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import type { AuditEntry } from '../../api/types';
import { instantOf } from '../../model/span';
import { AppLink } from '../../parts/app-link';
import { Changes } from '../../parts/changes';
import { Choice } from '../../parts/choice';
import { FilterBar } from '../../parts/filter-bar';
import { byPages, More } from '../../parts/more';
import { Page } from '../../parts/page';
import { Time } from '../../parts/time';
import classes from './audit.module.css';

const KINDS = ['account', 'user', 'team', 'field', 'capacity', 'router', 'client', 'member'] as const;

/** Who changed what of the configuration, from which value to which. */
export default function Audit() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/shell/audit' });
  const navigate = useNavigate({ from: '/audit' });
  const { object, by, from, to } = search;
  const set = (changes: typeof search) => void navigate({ search: { ...search, ...changes }, replace: true });
  const instants = { from: instantOf(from, 'from', new Date()), to: instantOf(to, 'to', new Date()) };
  const span = Object.fromEntries(Object.entries(instants).filter(([, at]) => at !== undefined));
  const query = useInfiniteQuery({
    ...byPages,
    queryKey: ['audit', search],
    queryFn: ({ pageParam: after }) =>
      answer(
        api.GET('/audit', {
          params: {
            query: {
              limit: 50,
              ...(object !== undefined && { object }),
              ...(by !== undefined && { by }),
              ...span,
              ...(after !== undefined && { after }),
            },
          },
        }),
      ),
  });
  const isKind = KINDS.some((kind) => kind === object);
  return (
    <Page title={t('shell.pages.audit')} about={t('audit.about')}>
      <FilterBar active={Object.keys(search).length > 0} clear={() => void navigate({ search: {} })}>
        <Choice
          label={t('audit.object')}
          value={object}
          onChange={(value) => set({ object: value })}
          options={[
            ...(object !== undefined && !isKind ? [[object, t('audit.one_object')] as [string, string]] : []),
            ...KINDS.map((value): [string, string] => [value, t(`audit.kinds.${value}`)]),
          ]}
        />
        {(['from', 'to'] as const).map((key) => (
          <TextInput
            key={key}
            type="date"
            label={t(`audit.${key}`)}
            value={search[key]?.slice(0, 10) ?? ''}
            onChange={(event) => set({ [key]: event.currentTarget.value || undefined })}
          />
        ))}
      </FilterBar>
      <More query={query} empty={{ title: t('audit.none') }}>
        {(entries) => (
          <ol className={classes.entries}>
            {entries.map((entry) => (
              <li key={entry.id} className={classes.entry}>
                <Said entry={entry} />
                {entry.changes.length > 0 && <EntryChanges changes={entry.changes} />}
              </li>
            ))}
          </ol>
        )}
      </More>
    </Page>
  );
}

/** What changed, drawn when it is opened: of a router it may be 1,000 rules. */
function EntryChanges({ changes }: Pick<AuditEntry, 'changes'>) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('audit.changes', { count: changes.length })}</summary>
      {isOpen && <Changes changes={changes} />}
    </details>
  );
}

/** An entry as a sentence; who and what lead to the rest of theirs. */
function Said({ entry: { at, by, action, object } }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  return (
    <Text size="sm" component="div">
      <Time at={at} />
      {' · '}
      <AppLink to="/audit" search={{ by: by.id ?? by.name }}>
        {by.name}
      </AppLink>{' '}
      {t(`audit.actions.${action as 'update'}`, { defaultValue: action })}{' '}
      {t(`audit.one.${object.kind as 'user'}`, { defaultValue: object.kind })}{' '}
      <AppLink to="/audit" search={{ object: object.id }}>
        {object.name}
      </AppLink>
    </Text>
  );
}
