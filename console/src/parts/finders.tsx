import type { ComboboxParsedItem } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { routerQuery, routersQuery, userByEmailQuery, usersQuery } from '../api/queries';
import type { ObjectType } from '../api/records';
import type { Router } from '../api/types';
import { Choice } from './choice';

interface FinderProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

type Option = [value: string, label: string];

/**
 * A router by its name: the value is its id. The service finds, so that any number can be chosen from. With a
 * type, one that can run on a record of it.
 */
export function RouterFinder({ value, type, ...props }: FinderProps & { type?: ObjectType }) {
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed, 200);
  const chosen = useQuery({ ...routerQuery(value ?? ''), enabled: value !== undefined });
  const name = chosen.data?.name;
  const found = useQuery(routersQuery(text === name ? '' : text));
  const fits = (router: Router) =>
    type === undefined || (router.object_type === type && router.is_published && router.archived === false);
  const options = (found.data?.data ?? []).filter(fits).map(({ id, name }): Option => [id, name]);
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
