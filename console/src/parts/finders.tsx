import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { routerQuery, routersQuery, usersQuery } from '../api/queries';

interface FinderProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

interface Option {
  value: string;
  label: string;
}

/** A router by its name: the value is its id. The service finds, so that any number can be chosen from. */
export function RouterFinder({ value, ...props }: FinderProps) {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed, 200);
  const found = useQuery(routersQuery(q));
  const chosen = useQuery({ ...routerQuery(value ?? ''), enabled: value !== undefined });
  const options = (found.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const own = value === undefined ? [] : [{ value, label: chosen.data?.name ?? value }];
  return <Finder {...props} value={value} options={options} own={own} onTyped={setTyped} />;
}

/** A person by their name or e-mail: the value is the e-mail. */
export function PersonFinder({ value, ...props }: FinderProps) {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed, 200);
  const found = useQuery(usersQuery(q));
  const options = (found.data?.data ?? []).map(({ email, name }) => ({ value: email, label: name ?? email }));
  const own = value === undefined ? [] : [{ value, label: value }];
  return <Finder {...props} value={value} options={options} own={own} onTyped={setTyped} />;
}

interface ListProps extends FinderProps {
  options: Option[];
  own: Option[];
  onTyped: (typed: string) => void;
}

function Finder({ label, value, onChange, options, own, onTyped }: ListProps) {
  const { t } = useTranslation();
  const missing = own.filter((option) => !options.some((other) => other.value === option.value));
  return (
    <Select
      label={label}
      size="sm"
      w={170}
      data={[...missing, ...options]}
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
      onSearchChange={onTyped}
      placeholder={t('common.any')}
      // The service has found them, by words that the label need not have.
      filter={({ options }) => options}
      searchable
      clearable
      clearButtonProps={{
        'aria-label': t('common.clear_one', { name: label }),
        'aria-hidden': false,
        tabIndex: 0,
      }}
    />
  );
}
