import { Button, Checkbox, Group, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldsQuery } from '../../api/fields';
import type { Field } from '../../api/types';
import { nameOf, OBJECT_TYPES, OWNERS, type ObjectType } from '../../api/records';
import { Choice } from '../../parts/choice';
import { TriggerWords } from '../../parts/conditions/condition-words';
import { TriggerEditor } from '../../parts/conditions/trigger-editor';
import { shownValues } from '../../parts/conditions/trigger';
import { DataTable, type Column } from '../../parts/data-table';
import { FilterBar } from '../../parts/filter-bar';
import { PersonLink, RecordLink } from '../../parts/links';
import { byPages, More } from '../../parts/more';
import { Page, Section } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { Time } from '../../parts/time';
import { COLUMNS, filterOf, searchRecords, type AnyRecord } from './queries';
import { SavedViews } from './saved-views';

/** The records of a type that a filter finds. The filter is in the address. */
export default function Records() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/shell/records' });
  const { type = 'contacts', filter: text, sort, archived } = search;
  const navigate = useNavigate({ from: '/records' });
  const filter = filterOf(text);
  const described = useQuery(fieldsQuery(type));
  const fields = described.data ?? [];
  const [edited, setEdited] = useState<typeof filter>();
  const query = useInfiniteQuery({
    ...byPages,
    queryKey: ['records', type, { text, sort, archived }],
    queryFn: ({ pageParam: after }) =>
      searchRecords(type, {
        limit: 50,
        count: after === undefined,
        properties: COLUMNS[type].filter((name) =>
          fields.some(({ internal_name }) => internal_name === name),
        ),
        ...(filter !== undefined && { filter }),
        ...(sort !== undefined && { sort: [sort] }),
        ...(archived === true && { archived }),
        ...(after !== undefined && { after }),
      }),
    enabled: fields.length > 0,
    retry: false,
  });
  const sorts = ['-created_at', '-updated_at', ...COLUMNS[type]];
  return (
    <Page title={t('shell.pages.records')} about={t('records.about')}>
      <SegmentedControl
        aria-label={t('records.type')}
        value={type}
        data={OBJECT_TYPES.map((value) => ({ value, label: t(`common.types.${value}`) }))}
        onChange={(value) => {
          setEdited(undefined);
          void navigate({ search: { type: value } });
        }}
        mb="md"
      />
      <FilterBar
        active={text !== undefined || sort !== undefined || archived === true}
        clear={() => void navigate({ search: { type } })}
      >
        <Choice
          label={t('records.sort')}
          placeholder={t('records.sort_default')}
          value={sort}
          onChange={(value) => void navigate({ search: { ...search, sort: value } })}
          options={sorts.map((value) => [value, sortName(value)])}
        />
        <Checkbox
          mb={8}
          label={t('records.archived')}
          checked={archived ?? false}
          onChange={(event) =>
            void navigate({ search: { ...search, archived: event.currentTarget.checked || undefined } })
          }
        />
        <SavedViews search={search} />
      </FilterBar>
      <Section
        title={t('records.filter')}
        actions={
          edited === undefined && (
            <Button
              size="compact-sm"
              variant="subtle"
              aria-label={t('common.edit_part', { part: t('records.filter') })}
              onClick={() => setEdited(filter ?? { groups: [] })}
            >
              {t('common.edit')}
            </Button>
          )
        }
      >
        {edited === undefined ? (
          <TriggerWords trigger={filter ?? { groups: [] }} fields={fields} />
        ) : (
          <>
            <TriggerEditor trigger={edited} fields={fields} onChange={setEdited} />
            <Group mt="sm">
              <Button
                size="xs"
                onClick={() => {
                  const next = edited.groups.length === 0 ? undefined : JSON.stringify(edited);
                  setEdited(undefined);
                  void navigate({ search: { ...search, filter: next } });
                }}
              >
                {t('records.find')}
              </Button>
              <Button size="xs" variant="default" onClick={() => setEdited(undefined)}>
                {t('common.cancel')}
              </Button>
            </Group>
          </>
        )}
      </Section>
      {described.error !== null && <Problem error={described.error} retry={() => void described.refetch()} />}
      <More query={query} empty={{ title: t('records.none'), text: t('records.none_text') }}>
        {(rows) => (
          <DataTable
            label={t(`common.types.${type}`)}
            columns={columnsOf(type, fields, t('records.headings', { returnObjects: true }))}
            rows={rows}
            rowKey={({ id }) => id}
          />
        )}
      </More>
    </Page>
  );

  function sortName(value: string): string {
    const [name, back] = value.startsWith('-') ? [value.slice(1), true] : [value, false];
    const label = fields.find(({ internal_name }) => internal_name === name)?.label;
    return label ?? t(`records.sorts.${name as 'created_at'}`, { defaultValue: back ? `${name} ↓` : name });
  }
}

interface Headings {
  name: string;
  owner: string;
  created: string;
}

function columnsOf(type: ObjectType, fields: readonly Field[], headings: Headings): Column<AnyRecord>[] {
  const field = (name: string) => fields.find(({ internal_name }) => internal_name === name);
  const owner = OWNERS[type];
  return [
    {
      key: 'name',
      heading: headings.name,
      cell: (record) => <RecordLink type={type} id={record.id} name={nameOf(type, record)} />,
    },
    ...COLUMNS[type].map((name) => ({
      key: name,
      heading: field(name)?.label ?? name,
      cell: (record: AnyRecord) => {
        const value = record[name];
        return value === null || value === undefined ? '' : shownValues(field(name), value).join(', ');
      },
    })),
    {
      key: 'owner',
      heading: headings.owner,
      cell: (record) => (typeof record[owner] === 'string' ? <PersonLink email={record[owner]} /> : '–'),
    },
    {
      key: 'created',
      heading: headings.created,
      cell: ({ created_at }) => (typeof created_at === 'string' ? <Time at={created_at} /> : ''),
    },
  ];
}
