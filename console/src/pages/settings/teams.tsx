import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Managed } from '../../api/managed';
import { PersonFinder } from '../../parts/finders';
import { PersonLink } from '../../parts/links';
import { moved } from '../../parts/lists';
import { RemoveButton } from '../../parts/remove-button';
import { FieldError } from '../../parts/field-error';
import { Some } from '../../parts/some';
import type { FormProps } from './kind-page';
import { ManagedList } from './managed-list';

interface Team extends Managed {
  name: string;
  members: string[];
}

type Draft = Pick<Team, 'name' | 'members'>;

/** Teams, and their members in the order of their turns. */
export default function Teams() {
  const { t } = useTranslation();
  return (
    <ManagedList<Team, Draft>
      section="teams"
      isSearched
      nameOf={({ name }) => name}
      draftOf={(team) => ({ name: team?.name ?? '', members: team?.members ?? [] })}
      Form={TeamForm}
      columns={[
        { key: 'name', heading: t('settings.keys.name'), cell: ({ name }) => name },
        {
          key: 'members',
          heading: t('settings.keys.members'),
          cell: ({ members }) => (
            <Some rows={members} step={5}>
              {(some) =>
                some.map(({ row: email, place }) => (
                  <span key={email}>
                    {place > 0 && ', '}
                    <PersonLink email={email} named />
                  </span>
                ))
              }
            </Some>
          ),
        },
      ]}
    />
  );
}

function TeamForm({ draft: { name, members }, set, wrong }: FormProps<Draft>) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <TextInput
        label={t('settings.keys.name')}
        value={name}
        error={wrong('name')}
        required
        data-autofocus
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Text size="sm" fw={500}>
        {t('settings.keys.members')}
      </Text>
      <Some rows={members} step={50} textOf={(email) => email} reveal={members.length - 1}>
        {(some) =>
          some.map(({ row: email, place }) => (
            <Group key={email} gap="xs" justify="space-between">
              <Text size="sm">{email}</Text>
              <Group gap={4}>
                <Button
                  size="compact-xs"
                  variant="default"
                  disabled={place === 0}
                  aria-label={t('routers.move_up', { name: email })}
                  onClick={() => set({ members: moved(members, place, place - 1) })}
                >
                  ↑
                </Button>
                <RemoveButton
                  label={t('routers.remove_member', { name: email })}
                  remove={() => set({ members: members.filter((other) => other !== email) })}
                />
              </Group>
            </Group>
          ))
        }
      </Some>
      <FieldError message={wrong('members')} />
      <PersonFinder
        key={members.length}
        label={t('routers.add_user')}
        value={undefined}
        onChange={(email) => {
          if (email !== undefined && !members.includes(email)) set({ members: [...members, email] });
        }}
      />
    </Stack>
  );
}
