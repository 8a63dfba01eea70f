import { Checkbox, Code, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { managed, type Managed } from '../../api/managed';
import type { Scope } from '../../app/access';
import { AskButton } from '../../parts/ask-button';
import { CopyId } from '../../parts/copy-id';
import { ShownOnce } from '../../parts/shown-once';
import { Time } from '../../parts/time';
import type { FormProps } from './kind-page';
import { ManagedList } from './managed-list';

interface Client extends Managed {
  name: string;
  scope: string;
  created_at: string;
}

interface Credentials {
  client_id: string;
  client_secret: string;
}

interface Draft {
  name: string;
  scope: string;
}

const SCOPES: readonly Scope[] = [
  'records:read',
  'records:write',
  'routers:read',
  'directory:read',
  'dispatch',
  'availability',
  'manage',
];
const USUAL = SCOPES.filter((scope) => scope !== 'availability' && scope !== 'manage').join(' ');

/** What programs enter with. A secret is shown once. */
export default function Clients() {
  const { t } = useTranslation();
  const [secret, setSecret] = useState<Credentials>();
  const rotate = async ({ id }: Client) =>
    setSecret(await managed('clients').post<Credentials>(id, 'rotate', { overlap_seconds: 3600 }));
  return (
    <ManagedList<Client, Draft>
      section="clients"
      nameOf={({ name }) => name}
      draftOf={(client) => ({ name: client?.name ?? '', scope: client?.scope ?? USUAL })}
      Form={ClientForm}
      onCreated={(created) => setSecret(created as unknown as Credentials)}
      actions={(client) => (
        <AskButton
          size="compact-xs"
          action={t('settings.clients.rotate')}
          label={t('settings.clients.rotate_one', { name: client.name })}
          title={t('settings.clients.rotate_one', { name: client.name })}
          act={() => rotate(client)}
        >
          {t('settings.clients.rotate_text')}
        </AskButton>
      )}
      columns={[
        { key: 'name', heading: t('settings.keys.name'), cell: ({ name }) => name },
        { key: 'id', heading: t('settings.keys.client_id'), cell: ({ id }) => <CopyId id={id} /> },
        { key: 'scope', heading: t('settings.keys.scope'), cell: ({ scope }) => scope.split(' ').join(', ') },
        {
          key: 'at',
          heading: t('settings.clients.since'),
          cell: ({ created_at }) => <Time at={created_at} />,
        },
      ]}
    >
      {secret !== undefined && (
        <ShownOnce
          title={t('settings.clients.secret')}
          secret={`client_id: ${secret.client_id}\nclient_secret: ${secret.client_secret}`}
          about={t('settings.clients.secret_text')}
          close={() => setSecret(undefined)}
        />
      )}
    </ManagedList>
  );
}

function ClientForm({ draft, set, wrong }: FormProps<Draft>) {
  const { t } = useTranslation();
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
      <Checkbox.Group
        label={t('settings.keys.scope')}
        value={draft.scope.split(' ').filter((scope) => scope !== '')}
        error={wrong('scope')}
        onChange={(scopes) => set({ scope: SCOPES.filter((scope) => scopes.includes(scope)).join(' ') })}
      >
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            mt={4}
            value={scope}
            label={
              <>
                <Code>{scope}</Code> {t(`settings.clients.scopes.${scope}`)}
              </>
            }
          />
        ))}
      </Checkbox.Group>
    </Stack>
  );
}
