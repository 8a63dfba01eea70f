import { Select, type SelectProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface ChoiceProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  options: [value: string, label: string][];
  /** What stands for none; left out, that it is any. */
  placeholder?: string | undefined;
  /** Of a list that the service searches. */
  search?: Pick<SelectProps, 'searchable' | 'filter' | 'onSearchChange'>;
}

/** A filter: one of several words, or none. What the address says is shown also where it is no option. */
export function Choice({ label, value, onChange, options, placeholder, search }: ChoiceProps) {
  const { t } = useTranslation();
  const known = options.some(([option]) => option === value);
  const data = options.map(([option, text]) => ({ value: option, label: text }));
  return (
    <Select
      label={label}
      data={value === undefined || known ? data : [...data, { value, label: value }]}
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
      placeholder={placeholder ?? t('common.any')}
      clearable
      clearButtonProps={{
        'aria-label': t('common.clear_one', { name: label }),
        'aria-hidden': false,
        tabIndex: 0,
        size: '24px',
      }}
      {...search}
    />
  );
}
