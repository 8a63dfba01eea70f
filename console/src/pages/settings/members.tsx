import { Button, Select, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CONSOLE } from '../../api/client';
import { managed, type Managed } from '../../api/managed';
import { AskButton } from '../../parts/ask-button';
import { Problem } from '../../parts/problem';
import { ShownOnce } from '../../parts/shown-once';
import { Time } from '../../parts/time';
import type { FormProps } from './kind-page';
import { ManagedList } from './managed-list';

type Role = 'viewer' | 'manager' | 'admin';

interface Member extends Managed {
  email: string;
  role: Role;
  last_seen_at: string | null;
}

interface Draft {
  email: string;
  role: Role;
}

interface Link {
  url: string;
  expires_at: string;
}

const ROLES = ['viewer', 'manager', 'admin'] as const;

/** Who may enter the console, and as what. */
export default function Members() {
  const { t } = useTranslation();
  const [link, setLink] = useState<Link & { email: string }>();
  const invite = useMutation({
    mutationFn: async ({ id, email }: Member) => ({
      email,
      ...(await managed('members').post<Link>(id, 'link')),
    }),
    onSuccess: setLink,
  });
  return (
    <ManagedList<Member, Draft>
      section="members"
      nameOf={({ email }) => email}
      draftOf={(member) => ({ email: member?.email ?? '', role: member?.role ?? 'viewer' })}
      Form={MemberForm}
      onCreated={(member) => invite.mutate(member)}
      actions={(member) => (
        <>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t('settings.members.link_for', { email: member.email })}
            onClick={() => invite.mutate(member)}
          >
            {t('settings.members.link')}
          </Button>
          <AskButton
            size="compact-xs"
            action={t('settings.members.sign_out')}
            label={t('settings.members.sign_out_one', { email: member.email })}
            title={t('settings.members.sign_out_title', { email: member.email })}
            act={() => managed('members').end(member.id, 'sessions')}
          >
            {t('settings.members.sign_out_text')}
          </AskButton>
        </>
      )}
      columns={[
        { key: 'email', heading: t('settings.keys.email'), cell: ({ email }) => email },
        { key: 'role', heading: t('settings.keys.role'), cell: ({ role }) => t(`shell.roles.${role}`) },
        {
          key: 'seen',
          heading: t('settings.members.seen'),
          cell: ({ last_seen_at: at }) => (at === null ? t('settings.members.never') : <Time at={at} />),
        },
      ]}
    >
      {invite.error !== null && <Problem error={invite.error} title={t('settings.members.no_link')} />}
      {link !== undefined && (
        <ShownOnce
          title={t('settings.members.link_of', { email: link.email })}
          secret={new URL(`enter${new URL(link.url).hash}`, CONSOLE).href}
          about={t('settings.members.link_text')}
          close={() => setLink(undefined)}
        />
      )}
    </ManagedList>
  );
}

function MemberForm({ draft, set, wrong }: FormProps<Draft>) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <TextInput
        type="email"
        label={t('settings.keys.email')}
        value={draft.email}
        error={wrong('email')}
        required
        data-autofocus
        onChange={(event) => set({ email: event.currentTarget.value })}
      />
      <Select
        label={t('settings.keys.role')}
        description={t(`settings.members.may.${draft.role}`)}
        data={ROLES.map((value) => ({ value, label: t(`shell.roles.${value}`) }))}
        value={draft.role}
        error={wrong('role')}
        allowDeselect={false}
        onChange={(role) => role !== null && set({ role })}
      />
    </Stack>
  );
}
