import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OperandInput } from '../../../parts/conditions/operand-input';
import type { Content } from '../model/content';
import { fieldsAsked } from '../model/fields-asked';
import type { Field } from '../../../api/types';

interface FieldsSubjectProps {
  content: Content;
  fields: readonly Field[];
  values: Readonly<Record<string, string>>;
  onChange: (values: Record<string, string>) => void;
}

/** A record that does not exist, by values of the fields that the router asks about, and of any other. */
export function FieldsSubject({ content, fields, values, onChange }: FieldsSubjectProps) {
  const { t } = useTranslation();
  const [added, setAdded] = useState<string[]>([]);
  const names = [...new Set([...fieldsAsked(content), ...added])];
  const shown = names.flatMap((name) => fields.find(({ internal_name }) => internal_name === name) ?? []);
  const others = fields.filter(({ internal_name }) => !names.includes(internal_name));
  return (
    <Stack gap="xs">
      {shown.map((field) => (
        <OperandInput
          key={field.internal_name}
          label={field.label}
          field={field}
          operator="eq"
          value={values[field.internal_name]}
          onChange={(value) =>
            onChange({ ...values, [field.internal_name]: typeof value === 'string' ? value : String(value) })
          }
        />
      ))}
      <Select
        size="xs"
        label={t('routers.try.add_field')}
        data={others.map(({ internal_name, label }) => ({ value: internal_name, label }))}
        value={null}
        searchable
        onChange={(name) => name !== null && setAdded([...added, name])}
      />
    </Stack>
  );
}
