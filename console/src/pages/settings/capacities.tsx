import { Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { fieldsQuery } from '../../api/fields';
import type { Managed } from '../../api/managed';
import { OBJECT_TYPES, type ObjectType } from '../../api/records';
import { shownValues } from '../../parts/conditions/trigger';
import { OperandInput } from '../../parts/conditions/operand-input';
import { PersonFinder, TeamFinder } from '../../parts/finders';
import { replaced } from '../../parts/lists';
import { RemoveButton } from '../../parts/remove-button';
import { FieldError } from '../../parts/field-error';
import type { FormProps } from './kind-page';
import { ManagedList } from './managed-list';

interface Draft {
  name: string;
  object_type: ObjectType;
  field: string;
  values: unknown[];
  users: { email: string; max: number }[];
  teams: { name: string; max: number }[];
}

type Capacity = Draft & Managed;
const NEW: Draft = { name: '', object_type: 'contacts', field: '', values: [], users: [], teams: [] };

/** How many records with a value one may own at once. */
export default function Capacities() {
  const { t } = useTranslation();
  return (
    <ManagedList<Capacity, Draft>
      section="capacities"
      nameOf={({ name }) => name}
      draftOf={(
        { name, object_type, field, values, users, teams } = { ...NEW, id: '', archived: false },
      ) => ({
        name,
        object_type,
        field,
        values,
        users,
        teams,
      })}
      Form={CapacityForm}
      columns={[
        { key: 'name', heading: t('settings.keys.name'), cell: ({ name }) => name },
        {
          key: 'of',
          heading: t('settings.capacities.of'),
          cell: (capacity) => <Counted capacity={capacity} />,
        },
        {
          key: 'most',
          heading: t('settings.capacities.most'),
          cell: ({ users, teams }) =>
            [
              ...users.map(({ email, max }) => `${email}: ${max}`),
              ...teams.map(({ name, max }) => `${t('routers.team', { name })}: ${max}`),
            ].join(', '),
        },
      ]}
    />
  );
}

/** Which records count, in words. */
function Counted({ capacity: { object_type, field, values } }: { capacity: Capacity }) {
  const { t } = useTranslation();
  const fields = useQuery(fieldsQuery(object_type)).data ?? [];
  const known = fields.find(({ internal_name }) => internal_name === field);
  return `${t(`common.types.${object_type}`)}: ${known?.label ?? field} = ${shownValues(known, values).join(', ')}`;
}

function CapacityForm({ draft, set, wrong }: FormProps<Draft>) {
  const { t } = useTranslation();
  const fields = useQuery(fieldsQuery(draft.object_type)).data ?? [];
  const field = fields.find(({ internal_name }) => internal_name === draft.field);
  return (
    <Stack gap="xs">
      <TextInput
        label={t('settings.keys.name')}
        value={draft.name}
        error={wrong('name')}
        required
        data-autofocus
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Select
        label={t('settings.keys.object_type')}
        data={OBJECT_TYPES.map((value) => ({ value, label: t(`common.types.${value}`) }))}
        value={draft.object_type}
        error={wrong('object_type')}
        allowDeselect={false}
        onChange={(type) => type !== null && set({ object_type: type, field: '', values: [] })}
      />
      <Select
        label={t('routers.field')}
        data={fields.map(({ internal_name, label }) => ({ value: internal_name, label }))}
        value={draft.field === '' ? null : draft.field}
        error={wrong('field')}
        searchable
        onChange={(name) => set({ field: name ?? '', values: [] })}
      />
      <OperandInput
        label={t('settings.keys.values')}
        field={field}
        operator="in"
        value={draft.values}
        onChange={(values) => set({ values: values as unknown[] })}
      />
      {[...draft.users.map(({ email, max }) => ({ name: email, max })), ...draft.teams].map(
        ({ name, max }, place) => {
          const isUser = place < draft.users.length;
          const change = (next: number | undefined) =>
            isUser
              ? set({
                  users: replaced(
                    draft.users,
                    place,
                    next === undefined ? undefined : { email: name, max: next },
                  ),
                })
              : set({
                  teams: replaced(
                    draft.teams,
                    place - draft.users.length,
                    next === undefined ? undefined : { name, max: next },
                  ),
                });
          return (
            <Group key={`${isUser} ${name}`} gap="xs" justify="space-between">
              <Text size="sm">{isUser ? name : t('routers.team', { name })}</Text>
              <Group gap={4}>
                <NumberInput
                  aria-label={t('settings.capacities.most_of', { name })}
                  size="xs"
                  w={90}
                  clampBehavior="none"
                  value={Number.isNaN(max) ? '' : max}
                  // What is no number is for the service to refuse.
                  onChange={(value) => change(typeof value === 'number' ? value : NaN)}
                />
                <RemoveButton label={t('routers.remove_member', { name })} remove={() => change(undefined)} />
              </Group>
            </Group>
          );
        },
      )}
      <FieldError message={wrong('users') ?? wrong('teams')} />
      <Group align="flex-end">
        <PersonFinder
          key={draft.users.length}
          label={t('routers.add_user')}
          value={undefined}
          onChange={(email) => email !== undefined && set({ users: [...draft.users, { email, max: 10 }] })}
        />
        <TeamFinder
          key={`teams ${draft.teams.length}`}
          label={t('routers.add_team')}
          value={undefined}
          onChange={(name) => {
            if (name !== undefined && !draft.teams.some((team) => team.name === name))
              set({ teams: [...draft.teams, { name, max: 10 }] });
          }}
        />
      </Group>
    </Stack>
  );
}
