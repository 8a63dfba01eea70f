import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Tagged } from '../../api/client';
import { fieldsQuery } from '../../api/fields';
import { refresh } from '../../api/queries';
import type { Field } from '../../api/types';
import { nameOf, OBJECT_TYPES, OWNERS, type ObjectType } from '../../api/records';
import { useAccess } from '../../app/access';
import { AppLink } from '../../parts/app-link';
import { Confirm } from '../../parts/confirm';
import { shownValues } from '../../parts/conditions/trigger';
import { CopyId } from '../../parts/copy-id';
import { PersonLink, RecordLink } from '../../parts/links';
import { Page, Section } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { Loading, NotFound } from '../../parts/states';
import { Time } from '../../parts/time';
import { AssignmentList } from '../assignments/assignment-list';
import { Dispatch } from './dispatch';
import { FieldsForm } from './fields-form';
import { History } from './history';
import { archiveRecord, readRecord, restoreRecord, staleWith, type AnyRecord } from './queries';
import classes from './record.module.css';

/** A record: its fields, its owner and since when, what routers made of it, and every change. */
export default function RecordPage() {
  const { type, record: id } = useParams({ from: '/shell/records/$type/$record' });
  const known = OBJECT_TYPES.find((one) => one === type);
  return known === undefined ? <NotFound /> : <Loaded key={id} type={known} id={id} />;
}

function Loaded({ type, id }: { type: ObjectType; id: string }) {
  const fields = useQuery(fieldsQuery(type));
  const names = fields.data?.map(({ internal_name }) => internal_name) ?? [];
  const record = useQuery({
    queryKey: ['record', type, id],
    queryFn: () => readRecord(type, id, [...names, `${OWNERS[type]}_assigned_date`]),
    enabled: fields.data !== undefined,
  });
  // What was read stays when it cannot be read again: a form may be open.
  if (fields.data === undefined || record.data === undefined) {
    const error = fields.error ?? record.error;
    if (error === null) return <Loading />;
    return <Problem error={error} retry={() => void record.refetch()} />;
  }
  return <Shown type={type} read={record.data} fields={fields.data} />;
}

interface ShownProps {
  type: ObjectType;
  read: Tagged<AnyRecord>;
  fields: readonly Field[];
}

function Shown({ type, read, fields }: ShownProps) {
  const { t } = useTranslation();
  const may = useAccess();
  const { value: record } = read;
  const [editing, setEditing] = useState(false);
  const isArchived = record['archived'] !== false;
  const owner = record[OWNERS[type]];
  const since = record[`${OWNERS[type]}_assigned_date`];
  return (
    <Page
      title={nameOf(type, record)}
      about={
        <>
          {t(`common.type.${type}`)} · {t('records.owner')}{' '}
          {typeof owner === 'string' ? <PersonLink email={owner} named /> : t('common.nobody')}
          {typeof since === 'string' && (
            <>
              {' · '}
              <Time at={since} />
            </>
          )}
          {isArchived && ` · ${t('records.is_archived')}`} <CopyId id={record.id} />
        </>
      }
      actions={may('records:write') && <ArchiveOrRestore type={type} read={read} />}
    >
      {may('dispatch') && !isArchived && <Dispatch type={type} id={record.id} />}
      <Section
        title={t('records.fields')}
        actions={
          may('records:write') &&
          !isArchived &&
          !editing && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t('common.edit_part', { part: t('records.fields') })}
              onClick={() => setEditing(true)}
            >
              {t('common.edit')}
            </Button>
          )
        }
      >
        {editing ? (
          <FieldsForm type={type} read={read} fields={fields} close={() => setEditing(false)} />
        ) : (
          <dl className={classes.fields}>
            {fields.map((field) => (
              <div key={field.internal_name}>
                <dt>{field.label}</dt>
                <dd>
                  <Value field={field} value={record[field.internal_name]} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Section>
      {may('routers:read') && (
        <Section
          title={t('shell.pages.assignments')}
          actions={
            <AppLink to="/assignments" search={{ record: record.id }}>
              {t('today.all')}
            </AppLink>
          }
        >
          <AssignmentList filter={{ object_id: record.id }} limit={10} />
        </Section>
      )}
      <History type={type} id={record.id} fields={fields} />
    </Page>
  );
}

function Value({ field, value }: { field: Field; value: unknown }) {
  if (value === null || value === undefined || value === '') {
    return (
      <Text span c="dimmed">
        –
      </Text>
    );
  }
  const target = OBJECT_TYPES.find((type) => type === field.target_object_type);
  if (field.type === 'user' && typeof value === 'string') return <PersonLink email={value} />;
  if (target !== undefined && typeof value === 'string') return <RecordLink type={target} id={value} />;
  if (field.type === 'datetime' && typeof value === 'string') return <Time at={value} />;
  return <>{shownValues(field, value).join(', ')}</>;
}

function ArchiveOrRestore({ type, read: { value: record, etag } }: Omit<ShownProps, 'fields'>) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [asked, ask] = useState(false);
  const isArchived = record['archived'] !== false;
  const change = useMutation({
    mutationFn: () => (isArchived ? restoreRecord(type, record.id) : archiveRecord(type, record.id, etag)),
    onSuccess: async () => {
      ask(false);
      await refresh(client, staleWith(type, record.id));
    },
  });
  return (
    <Group gap="xs">
      <Button
        size="xs"
        variant="default"
        loading={change.isPending}
        onClick={() => (isArchived ? change.mutate() : ask(true))}
      >
        {t(isArchived ? 'records.restore' : 'records.archive')}
      </Button>
      {isArchived && change.error !== null && (
        <Problem error={change.error} title={t('common.failed_save')} />
      )}
      <Confirm
        opened={asked}
        close={() => ask(false)}
        title={t('records.archive_title', { name: nameOf(type, record) })}
        action={t('records.archive')}
        run={() => change.mutate()}
        running={change.isPending}
        error={change.error}
      >
        {t('records.archive_text')}
      </Confirm>
    </Group>
  );
}
