import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isDay } from '../../model/week';
import { fromLocalText, toLocalText } from '../../model/zone';
import { RemoveButton } from '../../parts/remove-button';
import { FieldError } from '../../parts/field-error';
import type { PersonFormProps } from './person-editor';

const HOUR = 3_600_000;

/** Edits absences, each by whole days or by times of the person's zone. */
export function AbsencesForm({ value, set, error, timezone }: PersonFormProps) {
  const { t } = useTranslation();
  const [holidays, setHolidays] = useState(() => (value.holidays ?? []).join(', '));
  const absences = value.out_of_office ?? [];
  const put = (index: number, changes: { from?: string; to?: string }) =>
    set({ out_of_office: absences.map((each, place) => (place === index ? { ...each, ...changes } : each)) });
  const add = (absence: { from: string; to: string }) => set({ out_of_office: [...absences, absence] });
  return (
    <Stack>
      {absences.length === 0 && <Text c="dimmed">{t('people.one.no_absences')}</Text>}
      {absences.map((absence, index) => (
        <Group key={index} align="flex-end" gap="xs">
          {(['from', 'to'] as const).map((end) =>
            absence[end] === '' || isDay(absence[end]) ? (
              <TextInput
                key={end}
                type="date"
                label={t(`people.one.${end}`)}
                value={absence[end]}
                min={end === 'from' ? undefined : absence.from}
                onChange={(event) => put(index, { [end]: event.currentTarget.value })}
              />
            ) : (
              <TextInput
                key={end}
                type="datetime-local"
                label={t(`people.one.${end}_time`, { timezone })}
                value={toLocalText(timezone, Date.parse(absence[end]))}
                onChange={({ currentTarget: { value: typed } }) =>
                  // A field that is not complete has no value.
                  typed && put(index, { [end]: new Date(fromLocalText(timezone, typed)).toISOString() })
                }
              />
            ),
          )}
          <RemoveButton
            label={t('people.one.remove_absence', { from: absence.from })}
            remove={() => set({ out_of_office: absences.filter((_, place) => place !== index) })}
          />
        </Group>
      ))}
      <FieldError message={error('out_of_office')} />
      <Group>
        <Button variant="default" data-autofocus onClick={() => add({ from: '', to: '' })}>
          {t('people.one.add_absence')}
        </Button>
        <Button variant="default" onClick={() => add(nextHour())}>
          {t('people.one.add_hours')}
        </Button>
      </Group>
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

/** The hour that begins next. */
function nextHour(): { from: string; to: string } {
  const begin = Math.ceil(Date.now() / HOUR) * HOUR;
  return { from: new Date(begin).toISOString(), to: new Date(begin + HOUR).toISOString() };
}
