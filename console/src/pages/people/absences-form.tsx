import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format';
import { isDay } from '../../model/week';
import type { PersonFormProps } from './person-editor';

/** Edits absences by whole days. Those that were given by the hour can be taken out. */
export function AbsencesForm({ value, set, error }: PersonFormProps) {
  const { t } = useTranslation();
  const { exact } = useFormats();
  const [holidays, setHolidays] = useState(() => (value.holidays ?? []).join(', '));
  const absences = value.out_of_office ?? [];
  const put = (index: number, changes: { from?: string; to?: string }) =>
    set({ out_of_office: absences.map((each, place) => (place === index ? { ...each, ...changes } : each)) });
  return (
    <Stack>
      {absences.length === 0 && <Text c="dimmed">{t('people.one.no_absences')}</Text>}
      {absences.map(({ from, to }, index) => (
        <Group key={index} align="flex-end" gap="xs">
          {isDay(from || '2000-01-01') ? (
            <>
              <TextInput
                type="date"
                label={t('people.one.from')}
                value={from}
                onChange={(event) => put(index, { from: event.currentTarget.value })}
              />
              <TextInput
                type="date"
                label={t('people.one.to')}
                value={to}
                min={from}
                onChange={(event) => put(index, { to: event.currentTarget.value })}
              />
            </>
          ) : (
            <Text size="sm">{`${t('people.one.instants')} ${exact(new Date(from))} – ${exact(new Date(to))}`}</Text>
          )}
          <Button
            variant="default"
            aria-label={t('people.one.remove_absence', { from })}
            onClick={() => set({ out_of_office: absences.filter((_, place) => place !== index) })}
          >
            {t('common.remove')}
          </Button>
        </Group>
      ))}
      {error('out_of_office') !== undefined && (
        <Text size="sm" className="bad" role="alert">
          {error('out_of_office')}
        </Text>
      )}
      <Button
        variant="default"
        data-autofocus
        onClick={() => set({ out_of_office: [...absences, { from: '', to: '' }] })}
      >
        {t('people.one.add_absence')}
      </Button>
      <TextInput
        label={t('people.one.holidays')}
        placeholder="2026-12-25, 2027-01-01"
        value={holidays}
        onChange={({ currentTarget: { value: typed } }) => {
          setHolidays(typed);
          set({ holidays: typed.split(/[,\s]+/).filter(Boolean) });
        }}
        error={error('holidays')}
      />
    </Stack>
  );
}
