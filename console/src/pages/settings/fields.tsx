import { Button, Checkbox, Group, SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Field } from '../../api/types';
import type { Managed } from '../../api/managed';
import { OBJECT_TYPES, type ObjectType } from '../../api/records';
import { replaced } from '../../parts/lists';
import { RemoveButton } from '../../parts/remove-button';
import { FieldError } from '../../parts/field-error';
import type { FormProps } from './kind-page';
import { ManagedList } from './managed-list';

const TYPES = ['string', 'number', 'bool', 'datetime', 'enumeration', 'user', 'reference'] as const;
type Option = NonNullable<Field['options']>[number];

/** What a body has; a change leaves out what never changes. */
interface Draft {
  label: string;
  indexed: boolean;
  options?: Option[];
  object_type?: ObjectType;
  internal_name?: string;
  type?: string;
  target_object_type?: ObjectType;
}

/** The fields of each object type, standard and custom ones. */
export default function Fields() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/shell/settings/fields' });
  const navigate = useNavigate({ from: '/settings/fields' });
  const { type = 'contacts' } = search;
  return (
    <ManagedList<Field & Managed, Draft>
      section="fields"
      query={{ object_type: type }}
      nameOf={({ label }) => label}
      draftOf={(field) =>
        field === undefined
          ? { object_type: type, internal_name: '', label: '', type: 'string', indexed: false }
          : {
              label: field.label,
              indexed: field.indexed,
              ...(field.type === 'enumeration' && { options: field.options ?? [] }),
            }
      }
      Form={FieldForm}
      canArchive={({ standard }) => !standard}
      columns={[
        { key: 'label', heading: t('settings.keys.label'), cell: ({ label }) => label },
        {
          key: 'name',
          heading: t('settings.keys.internal_name'),
          cell: ({ internal_name }) => internal_name,
        },
        {
          key: 'type',
          heading: t('settings.keys.type'),
          cell: (field) => t(`settings.fields.types.${field.type as 'string'}`, { defaultValue: field.type }),
        },
        {
          key: 'options',
          heading: t('settings.keys.options'),
          cell: ({ options }) => options?.map(({ label }) => label).join(', ') ?? '',
        },
        {
          key: 'indexed',
          heading: t('settings.keys.indexed'),
          cell: ({ indexed }) => (indexed ? t('common.yes') : ''),
        },
      ]}
    >
      <SegmentedControl
        aria-label={t('records.type')}
        value={type}
        data={OBJECT_TYPES.map((value) => ({ value, label: t(`common.types.${value}`) }))}
        onChange={(value) => void navigate({ search: { type: value } })}
        mb="md"
      />
    </ManagedList>
  );
}

function FieldForm({ draft, set, wrong, isNew }: FormProps<Draft>) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <TextInput
        label={t('settings.keys.label')}
        value={draft.label}
        error={wrong('label')}
        data-autofocus
        onChange={(event) => set({ label: event.currentTarget.value })}
      />
      {isNew && (
        <>
          <TextInput
            label={t('settings.keys.internal_name')}
            description={t('settings.fields.name_text')}
            value={draft.internal_name ?? ''}
            error={wrong('internal_name')}
            required
            onChange={(event) => set({ internal_name: event.currentTarget.value })}
          />
          <Select
            label={t('settings.keys.type')}
            data={TYPES.map((value) => ({ value, label: t(`settings.fields.types.${value}`) }))}
            value={draft.type ?? 'string'}
            error={wrong('type')}
            allowDeselect={false}
            onChange={(type) =>
              type !== null &&
              set({
                type,
                options: type === 'enumeration' ? (draft.options ?? []) : undefined,
                target_object_type: type === 'reference' ? draft.target_object_type : undefined,
              })
            }
          />
          {draft.type === 'reference' && (
            <Select
              label={t('settings.keys.target_object_type')}
              data={OBJECT_TYPES.map((value) => ({ value, label: t(`common.types.${value}`) }))}
              value={draft.target_object_type ?? null}
              error={wrong('target_object_type')}
              onChange={(target) => target !== null && set({ target_object_type: target })}
            />
          )}
        </>
      )}
      {draft.options !== undefined && (
        <Options options={draft.options} error={wrong('options')} onChange={(options) => set({ options })} />
      )}
      <Checkbox
        label={t('settings.fields.indexed')}
        checked={draft.indexed}
        error={wrong('indexed')}
        onChange={(event) => set({ indexed: event.currentTarget.checked })}
      />
    </Stack>
  );
}

interface OptionsProps {
  options: readonly Option[];
  error: string | undefined;
  onChange: (options: Option[]) => void;
}

/** The options of an enumeration, in their order. */
function Options({ options, error, onChange }: OptionsProps) {
  const { t } = useTranslation();
  return (
    <fieldset>
      <legend>{t('settings.keys.options')}</legend>
      {options.map((option, place) => (
        <Group key={place} gap="xs" mb={4} wrap="nowrap">
          <TextInput
            aria-label={t('settings.fields.option_name', { n: place + 1 })}
            value={option.internal_name}
            onChange={(event) =>
              onChange(replaced(options, place, { ...option, internal_name: event.currentTarget.value }))
            }
          />
          <TextInput
            aria-label={t('settings.fields.option_label', { n: place + 1 })}
            value={option.label}
            onChange={(event) =>
              onChange(replaced(options, place, { ...option, label: event.currentTarget.value }))
            }
          />
          <RemoveButton
            label={t('routers.remove_member', { name: option.label })}
            remove={() => onChange(replaced(options, place, undefined))}
          />
        </Group>
      ))}
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => onChange([...options, { internal_name: '', label: '' }])}
      >
        {t('common.add')}
      </Button>
      <FieldError message={error} />
    </fieldset>
  );
}
