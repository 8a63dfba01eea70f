import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef } from 'react';

interface NameFilterProps {
  label: string;
  /** What the address says. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A filter by the beginning of a name. The service is asked when nobody has typed for a moment. */
export function NameFilter({ label, value, onChange }: NameFilterProps) {
  const input = useRef<HTMLInputElement>(null);
  const send = useDebouncedCallback((typed: string) => onChange(typed || undefined), 250);
  useEffect(() => {
    // The address follows whoever types; it leads where the filters were cleared, or by going back.
    if (input.current !== null && input.current !== document.activeElement) input.current.value = value ?? '';
  }, [value]);
  return (
    <TextInput
      ref={input}
      type="search"
      label={label}
      defaultValue={value ?? ''}
      onChange={(event) => send(event.currentTarget.value)}
    />
  );
}
