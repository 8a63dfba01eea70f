import { Button, Group, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Tagged } from '../../api/client';
import { useEdit } from '../../api/edit';
import { ApiError } from '../../api/errors';
import type { Field } from '../../api/types';
import type { ObjectType } from '../../api/records';
import { Collision } from '../../parts/collision';
import { OperandInput } from '../../parts/conditions/operand-input';
import { shownValues } from '../../parts/conditions/trigger';
import { Problem } from '../../parts/problem';
import { FieldError } from '../../parts/field-error';
import { changeRecord, readRecord, staleWith, type AnyRecord } from './queries';

interface FieldsFormProps {
  type: ObjectType;
  read: Tagged<AnyRecord>;
  fields: readonly Field[];
  close: () => void;
}

/** Edits the fields of a record. Only what was changed is sent, for the version that the form began with. */
export function FieldsForm({ type, read, fields, close }: FieldsFormProps) {
  const { t } = useTranslation();
  // The page may read the record anew meanwhile.
  const [base] = useState(read);
  const [changes, setChanges] = useState<Record<string, unknown>>({});
  const names = fields.map(({ internal_name }) => internal_name);
  const { value: record } = base;
  const edit = useEdit<AnyRecord, Record<string, unknown>>({
    read: () => readRecord(type, record.id, names),
    save: (body, etag) => changeRecord(type, record.id, { etag, body: { fields: body } }),
    stale: staleWith(type, record.id),
  });
  const save = async () => {
    if (Object.keys(changes).length === 0 || (await edit.save(changes, base))) close();
  };
  const label = (name: string) => fields.find(({ internal_name }) => internal_name === name)?.label ?? name;
  const { error } = edit;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save().catch(() => undefined);
      }}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {fields.map((field) => {
          const { internal_name: name } = field;
          const wrong =
            error instanceof ApiError ? (error.at(`fields.${name}`) ?? error.at(name)) : undefined;
          return (
            <div key={name}>
              <OperandInput
                label={field.label}
                field={field}
                operator="eq"
                value={changes[name] ?? (name in changes ? '' : record[name])}
                onChange={(value) => setChanges({ ...changes, [name]: value === '' ? null : value })}
              />
              <FieldError message={wrong} />
            </div>
          );
        })}
      </SimpleGrid>
      {error !== null && <Problem error={error} title={t('common.failed_save')} />}
      <Group mt="md">
        <Button type="submit" loading={edit.saving}>
          {t('common.save')}
        </Button>
        <Button variant="default" onClick={close}>
          {t('common.cancel')}
        </Button>
      </Group>
      <Collision<AnyRecord, Record<string, unknown>>
        collision={edit.collision}
        nameOf={label}
        show={(_, value) =>
          value === null || value === undefined ? '–' : shownValues(undefined, value).join(', ')
        }
        resolve={(chosen) => void edit.resolve(chosen).then((isDone) => isDone && close())}
        goBack={edit.goBack}
      />
    </form>
  );
}
