import { Group, MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PersonFinder } from '../finders';
import type { Field } from '../../api/types';
import { arityOf, typedValue } from './trigger';

interface OperandInputProps {
  field: Field | undefined;
  operator: string;
  value: unknown;
  onChange: (value: unknown) => void;
  /** Shown above it; left out where its place says what it is. */
  label?: string;
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** What a condition compares with: one value, two or several, as operator and field have them. */
export function OperandInput({ field, operator, value, onChange, label }: OperandInputProps) {
  const { t } = useTranslation();
  const type = field?.type ?? 'string';
  const named = label === undefined ? { 'aria-label': t('routers.value') } : { label };
  const options =
    type !== 'enumeration'
      ? undefined
      : field?.options?.map(({ internal_name, label }) => ({ value: internal_name, label }));
  const all = Array.isArray(value) ? (value as unknown[]) : [];
  switch (arityOf(operator)) {
    case 'none':
      return <span />;
    case 'many':
      return options !== undefined ? (
        <MultiSelect {...named} data={options} value={all.map(textOf)} onChange={onChange} searchable />
      ) : (
        <TagsInput
          {...named}
          placeholder={t('routers.values_hint')}
          value={all.map(textOf)}
          onChange={(texts) => onChange(texts.map((text) => typedValue(type, text)))}
        />
      );
    case 'two':
      return (
        <Group gap={4} wrap="nowrap">
          {['routers.value_from', 'routers.value_to'].map((key, place) => (
            <TextInput
              key={key}
              aria-label={t(key as 'routers.value_from')}
              value={textOf(all[place])}
              placeholder={hint(type)}
              onChange={({ currentTarget }) =>
                onChange(
                  [0, 1].map((n) => (n === place ? typedValue(type, currentTarget.value) : (all[n] ?? ''))),
                )
              }
            />
          ))}
        </Group>
      );
    case 'one':
      if (type === 'user') {
        return (
          <PersonFinder
            label={label ?? t('routers.value')}
            value={textOf(value) || undefined}
            onChange={(email) => onChange(email ?? '')}
          />
        );
      }
      if (options !== undefined || type === 'bool') {
        const data = options ?? [
          { value: 'true', label: t('common.yes') },
          { value: 'false', label: t('common.no') },
        ];
        return (
          <Select
            {...named}
            data={data}
            value={textOf(value) || null}
            onChange={(next) => onChange(next ?? '')}
            searchable
          />
        );
      }
      return (
        <TextInput
          {...named}
          value={textOf(value)}
          placeholder={hint(type)}
          onChange={(event) => onChange(typedValue(type, event.currentTarget.value))}
        />
      );
  }
}

const hint = (type: string): string | undefined => (type === 'datetime' ? '2026-12-24T09:00:00Z' : undefined);
