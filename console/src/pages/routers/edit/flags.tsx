import { Checkbox, NumberInput, Select, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PersonFinder } from '../../../parts/finders';
import type { Content } from '../model/content';
import type { Field } from '../../../api/types';

interface FlagsProps {
  content: Content;
  change: (changes: Partial<Content>) => void;
}

type FlagKey =
  | 'overwrite'
  | 'overwrite_if_unavailable'
  | 'account_matching'
  | 'ignore_working_hours'
  | 'default_user_must_be_available'
  | 'disable_default_assignment';

function Flag({
  name,
  content,
  change,
  disabled = false,
}: FlagsProps & { name: FlagKey; disabled?: boolean }) {
  const { t } = useTranslation();
  return (
    <Checkbox
      label={t(`routers.flags.${name}`)}
      checked={content[name] === true}
      disabled={disabled}
      onChange={(event) => change({ [name]: event.currentTarget.checked })}
    />
  );
}

/** Whether an owner may be replaced, and what is given back then. */
export function OwnersEditor({ fields, ...props }: FlagsProps & { fields: readonly Field[] }) {
  const { t } = useTranslation();
  const { content, change } = props;
  const owners = fields.filter(({ type }) => type === 'user');
  return (
    <Stack gap="xs">
      {owners.length > 1 && (
        <Select
          label={t('routers.owner_field')}
          w={280}
          data={owners.map(({ internal_name, label }) => ({ value: internal_name, label }))}
          value={content.owner_field}
          allowDeselect={false}
          onChange={(value) => value !== null && change({ owner_field: value })}
        />
      )}
      <Flag name="overwrite" {...props} />
      <Flag name="overwrite_if_unavailable" disabled={content.overwrite} {...props} />
      <NumberInput
        label={t('routers.reimburse')}
        w={280}
        min={0}
        allowDecimal={false}
        value={content.reimburse_within_minutes ?? 0}
        onChange={(value) => change({ reimburse_within_minutes: Number(value) })}
      />
    </Stack>
  );
}

/** Whether the owner of the contact’s company gets the contact. */
export function MatchingEditor(props: FlagsProps) {
  const { t } = useTranslation();
  const { content, change } = props;
  return (
    <Stack gap="xs">
      <Flag name="account_matching" {...props} />
      {content.account_matching && (
        <Select
          label={t('routers.matched_unavailable')}
          w={280}
          data={(['route', 'assign'] as const).map((value) => ({
            value,
            label: t(`routers.matched.${value}`),
          }))}
          value={content.account_matching_unavailable_owner ?? 'route'}
          allowDeselect={false}
          onChange={(value) => change({ account_matching_unavailable_owner: value as 'assign' })}
        />
      )}
    </Stack>
  );
}

/** What happens where nobody is available. */
export function NobodyEditor(props: FlagsProps) {
  const { t } = useTranslation();
  const { content, change } = props;
  return (
    <Stack gap="xs">
      <Flag name="ignore_working_hours" {...props} />
      <PersonFinder
        label={t('routers.backup')}
        placeholder={t('common.none')}
        value={content.default_user ?? undefined}
        onChange={(email) => change({ default_user: email ?? null })}
      />
      <Flag name="default_user_must_be_available" {...props} />
      <Flag name="disable_default_assignment" {...props} />
    </Stack>
  );
}
