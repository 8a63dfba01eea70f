import { Button, Group, Text, TextInput } from '@mantine/core';
import { useDeferredValue, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** One of a list, and where in the whole list it is. */
export interface Placed<T> {
  row: T;
  place: number;
}

interface SomeProps<T> {
  rows: readonly T[];
  /** How many are shown at first, and how many more each time. */
  step: number;
  /** What is looked for in a row; left out where nothing is. */
  textOf?: (row: T) => string;
  /** The place of one that is shown in any case. */
  reveal?: number | null;
  children: (rows: readonly Placed<T>[]) => ReactNode;
}

/** The first of a long list that is known whole; says how many there are, finds others, and shows more. */
export function Some<T>({ rows, step, textOf, reveal = null, children }: SomeProps<T>) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(step);
  const [typed, setTyped] = useState('');
  const sought = useDeferredValue(typed.trim().toLowerCase());
  const all = rows.map((row, place) => ({ row, place }));
  if (rows.length <= step) return children(all);
  const found =
    sought === '' || textOf === undefined
      ? all
      : all.filter(({ row }) => textOf(row).toLowerCase().includes(sought));
  const some = found.filter(({ place }, index) => index < shown || place === reveal);
  return (
    <>
      {textOf !== undefined && (
        <TextInput
          type="search"
          size="xs"
          w={260}
          maw="100%"
          mb="xs"
          label={t('common.find_in', { count: rows.length })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          // Within a form it sends nothing.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      {children(some)}
      <Group my="xs">
        {found.length > shown && (
          <Button size="xs" variant="default" onClick={() => setShown(shown + step)}>
            {t('common.more')}
          </Button>
        )}
        <Text size="sm" c="dimmed" role="status">
          {t('common.shown_of', { shown: some.length, count: found.length })}
        </Text>
      </Group>
    </>
  );
}
