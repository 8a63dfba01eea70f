import type { ComboboxParsedItem } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { routerNameQuery, userByEmailQuery } from '../api/named';
import { routersQuery, teamsQuery, usersQuery } from '../api/queries';
import type { ObjectType } from '../api/records';
import { Choice } from './choice';

interface FinderProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  placeholder?: string;
}

type Option = [value: string, label: string];

/**
 * A router by its name: the value is its id. The service finds, so that any number can be chosen from.
 * With `type`, one that records of the type can be dispatched by.
 */
export function RouterFinder({ value, type, ...props }: FinderProps & { type?: ObjectType }) {
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed, 200);
  const chosen = useQuery({ ...routerNameQuery(value ?? ''), enabled: value !== undefined });
  const name = chosen.data?.name;
  const found = useQuery(routersQuery(text === name ? '' : text, type));
  const usable = (found.data?.data ?? []).filter((one) => type === undefined || one.is_published);
  const options = usable.map(({ id, name }): Option => [id, name]);
  const own: Option[] = value === undefined || name === undefined ? [] : [[value, name]];
  return <Choice {...props} value={value} options={withOwn(own, options)} search={by(setTyped)} />;
}

/** A person by their name or e-mail: the value is the e-mail. */
export function PersonFinder({ value, ...props }: FinderProps) {
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed, 200);
  const chosen = useQuery({ ...userByEmailQuery(value ?? ''), enabled: value !== undefined });
  const name = chosen.data?.name ?? value;
  const found = useQuery(usersQuery(text === name ? '' : text));
  const options = (found.data?.data ?? []).map(({ email, name }): Option => [email, name ?? email]);
  const own: Option[] = value === undefined || name === undefined ? [] : [[value, name]];
  return <Choice {...props} value={value} options={withOwn(own, options)} search={by(setTyped)} />;
}

/** A team by its name, which is the value. */
export function TeamFinder({ value, ...props }: FinderProps) {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed, 200);
  const found = useQuery(teamsQuery(q));
  const options = (found.data?.data ?? []).map(({ name }): Option => [name, name]);
  return <Choice {...props} value={value} options={options} search={by(setTyped)} />;
}

/** What is chosen is among the options, also where the service has found others. */
function withOwn(own: Option[], options: Option[]): Option[] {
  return [...own.filter(([value]) => !options.some(([other]) => other === value)), ...options];
}

/** The service has found the options, by words that a label need not have. */
function by(onSearchChange: (typed: string) => void) {
  return {
    searchable: true,
    filter: ({ options }: { options: ComboboxParsedItem[] }) => options,
    onSearchChange,
  };
}
