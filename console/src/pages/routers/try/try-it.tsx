import { Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../../api/client';
import { Problem } from '../../../parts/problem';
import { Loading, Spoken } from '../../../parts/states';
import { bodyOf, type Content } from '../model/content';
import type { Field } from '../../../api/types';
import { pendingOf, type RouterState } from '../queries';
import { Answer } from './answer';
import { FieldsSubject } from './fields-subject';
import { RecordSubject } from './record-subject';
import classes from './try-it.module.css';

interface TryItProps {
  state: RouterState;
  /** What is on the page, saved or not. */
  content: Content;
  /** What is not saved; then this is what is tried. */
  changes: Partial<Content> | undefined;
  fields: readonly Field[];
}

type Which = 'live' | 'draft' | 'page';

/** Who would get a record: what the service answers, with every step, while the router is edited. */
export function TryIt({ state, content, changes, fields }: TryItProps) {
  const { t } = useTranslation();
  const { record, at } = useSearch({ from: '/shell/routers/$router' });
  const navigate = useNavigate({ from: '/routers/$router' });
  const { value: live } = state.live;
  const [by, setBy] = useState<'record' | 'fields'>(record === undefined ? 'fields' : 'record');
  const [values, setValues] = useState<Record<string, string>>({});
  const offered: Which[] = [
    ...(live.is_published ? (['live'] as const) : []),
    ...(state.draft !== undefined || !live.is_published ? (['draft'] as const) : []),
    ...(changes !== undefined ? (['page'] as const) : []),
  ];
  const [chosen, choose] = useState<Which | null>(null);
  const which = chosen !== null && offered.includes(chosen) ? chosen : (offered.at(-1) ?? 'live');
  const subject =
    by === 'record'
      ? record !== undefined && { object_id: record }
      : { fields: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) };
  const asked = subject !== false &&
    offered.length > 0 && {
      router_id: live.id,
      ...subject,
      ...(at !== undefined && { at }),
      ...(which === 'page' ? { router: bodyOf(changes ?? {}) } : { version: which }),
    };
  // As text, which stays the same while nothing is typed. Nothing is sent before what is asked is complete.
  const [sent] = useDebouncedValue(asked === false ? '' : JSON.stringify(asked), 300);
  const { data, error, isFetching } = useQuery({
    queryKey: ['simulation', live.id, state.live.etag, pendingOf(state).etag, sent],
    queryFn: () =>
      answer(api.POST('/dispatch/simulate', { body: JSON.parse(sent) as Exclude<typeof asked, false> })),
    enabled: asked !== false && sent !== '',
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 5_000,
  });
  return (
    <section className={classes.panel} aria-labelledby="try-it">
      <Title order={2} size="h5" id="try-it" mb="xs">
        {t('routers.try.title')}
      </Title>
      <Stack gap="xs">
        <Select
          label={t('routers.try.what')}
          data={(['fields', 'record'] as const).map((value) => ({
            value,
            label: t(`routers.try.by_${value}`),
          }))}
          value={by}
          allowDeselect={false}
          onChange={(next) => next !== null && setBy(next)}
        />
        {by === 'record' ? (
          <RecordSubject
            type={live.object_type}
            id={record}
            onChange={(id) => void navigate({ search: { at, record: id }, replace: true })}
          />
        ) : (
          <FieldsSubject content={content} fields={fields} values={values} onChange={setValues} />
        )}
        <TextInput
          type="datetime-local"
          label={t('routers.try.at')}
          description={t('routers.try.at_text')}
          value={at === undefined ? '' : localOf(at)}
          onChange={({ currentTarget: { value } }) =>
            void navigate({
              search: { record, at: value === '' ? undefined : new Date(value).toISOString() },
              replace: true,
            })
          }
        />
        {offered.length > 1 && (
          <Select
            label={t('routers.try.version')}
            data={offered.map((value) => ({ value, label: t(`routers.try.versions.${value}`) }))}
            value={which}
            allowDeselect={false}
            onChange={(next) => choose(next)}
          />
        )}
      </Stack>
      <div className={classes.answer} aria-busy={isFetching}>
        {subject === false && <Text size="sm">{t('routers.try.choose')}</Text>}
        {error !== null && <Problem error={error} title={t('routers.try.failed')} />}
        {error === null && data !== undefined && (
          <Answer result={data} type={live.object_type} router={live.name} />
        )}
        {error === null && data === undefined && isFetching && <Loading />}
      </div>
      <Spoken>{error === null && data !== undefined ? data.message : ''}</Spoken>
    </section>
  );
}

/** An instant as an input of date and time has it, in the zone of the browser. */
function localOf(at: string): string {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
