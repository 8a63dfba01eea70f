import { Drawer } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, tagged, type Tagged } from '../../api/client';
import { changesBetween, useEdit } from '../../api/edit';
import { ApiError } from '../../api/errors';
import type { User, UserChanges } from '../../api/types';
import { Collision } from '../../parts/collision';
import { EditForm } from '../../parts/edit-form';
import { useLeave } from '../../parts/leave';
import { AbsencesForm } from './absences-form';
import { BasicsForm } from './basics-form';
import { HoursForm } from './hours-form';
import { LimitsForm } from './limits-form';

export type Edited = 'basics' | 'hours' | 'absences' | 'limits';

/** What a form of a person gets: the values as they are being edited, and what the service says of them. */
export interface PersonFormProps {
  value: UserChanges;
  set: (changes: UserChanges) => void;
  error: (key: keyof UserChanges) => string | undefined;
  /** Of the person as they were read. */
  timezone: string;
}

const FORMS = { basics: BasicsForm, hours: HoursForm, absences: AbsencesForm, limits: LimitsForm };
const KEYS = {
  basics: ['name', 'email'],
  hours: ['timezone', 'working_hours'],
  absences: ['out_of_office', 'holidays'],
  limits: ['limits'],
} as const satisfies Record<Edited, (keyof UserChanges)[]>;

/** Edits a part of a person. What was read when it opened is what the changes are compared with. */
export function PersonEditor({ tag, what, close }: { tag: Tagged<User>; what: Edited; close: () => void }) {
  const { t } = useTranslation();
  const [base] = useState(tag);
  const [value, setValue] = useState<UserChanges>(() => pick(base.value, KEYS[what]));
  const path = { userId: base.value.id };
  const edit = useEdit<User, UserChanges>({
    read: () => tagged(api.GET('/users/{userId}', { params: { path } })),
    save: (body, etag) =>
      answer(api.PATCH('/users/{userId}', { params: { path, header: { 'If-Match': etag } }, body })),
    // Others name them by their e-mail.
    stale: [['users'], ['routers'], ['teams'], ['capacities'], ['assignments'], ['records'], ['record']],
  });
  const done = (saved: boolean) => {
    if (!saved) return;
    notifications.show({ message: t('common.saved') });
    close();
  };
  const changes = changesBetween(pick(base.value, KEYS[what]), value);
  const leave = useLeave(changes !== undefined, close);
  const submit = () => {
    if (changes === undefined) return close();
    edit.save(changes, base).then(done, () => undefined);
  };
  const error = (key: keyof UserChanges) => (edit.error instanceof ApiError ? edit.error.at(key) : undefined);
  const isShown = KEYS[what].some((key) => error(key) !== undefined);
  const Form = FORMS[what];
  return (
    <Drawer
      opened
      onClose={leave}
      position="right"
      title={`${t(`people.one.edit_${what}`)}: ${base.value.name ?? base.value.email}`}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <EditForm
        submit={submit}
        close={close}
        saving={edit.saving}
        error={edit.error}
        isShown={isShown}
        noValidate
      >
        <Form
          value={value}
          set={(changes) => setValue({ ...value, ...changes })}
          error={error}
          timezone={base.value.timezone}
        />
      </EditForm>
      <Collision
        collision={edit.collision}
        nameOf={(key) => t(`people.one.keys.${key as keyof UserChanges & Named}`)}
        show={(_, shown) => inWords(shown) || t('common.none')}
        resolve={(chosen) => void edit.resolve(chosen).then((isDone) => isDone && close())}
        goBack={edit.goBack}
      />
    </Drawer>
  );
}

/** A value in short: `day 5, window calendar`, or `mon, tue 09:00 17:30; sat 10:00 14:00`. */
function inWords(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (value === null || typeof value !== 'object') return '';
  if (!Array.isArray(value)) {
    return Object.entries(value)
      .map(([key, each]) =>
        Array.isArray(each) || /^(start|end|from|to)$/.test(key) ? inWords(each) : `${key} ${each}`,
      )
      .join(', ');
  }
  return value.map(inWords).join(typeof value[0] === 'object' ? '; ' : ' ');
}

type Named = (typeof KEYS)[Edited][number];

function pick(from: UserChanges, keys: readonly (keyof UserChanges)[]): UserChanges {
  return Object.fromEntries(keys.map((key) => [key, from[key]]));
}
