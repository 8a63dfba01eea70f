import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';

interface NameFilterProps {
  label: string;
  /** What the address says. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A filter by the beginning of a name. The service is asked when nobody has typed for a moment. */
export function NameFilter({ label, value, onChange }: NameFilterProps) {
  const type = useDebouncedCallback((typed: string) => onChange(typed || undefined), 250);
  return (
    <TextInput
      // It is empty again where the filters were cleared.
      key={value === undefined ? 'empty' : 'typed'}
      type="search"
      label={label}
      defaultValue={value ?? ''}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
