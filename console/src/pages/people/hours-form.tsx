import { Button, Checkbox, Fieldset, Group, Switch, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { User } from '../../api/types';
import { WEEKDAYS } from '../../model/zone';
import { RemoveButton } from '../../parts/remove-button';
import { FieldError } from '../../parts/field-error';
import type { PersonFormProps } from './person-editor';

type Span = NonNullable<User['working_hours']>[number];

const WEEK: Span['days'] = [...WEEKDAYS.slice(1), WEEKDAYS[0]];
const USUAL: Span = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '09:00', end: '17:00' };
const ZONES = Intl.supportedValuesOf('timeZone');

/** Edits the zone and the working hours: spans of hours on some days each. */
export function HoursForm({ value, set, error }: PersonFormProps) {
  const { t } = useTranslation();
  const spans = value.working_hours ?? [];
  const put = (index: number, changes: Partial<Span>) =>
    set({ working_hours: spans.map((span, place) => (place === index ? { ...span, ...changes } : span)) });
  return (
    <>
      <TextInput
        label={t('people.one.timezone')}
        description={t('people.one.timezone_about')}
        list="zones"
        value={value.timezone ?? ''}
        onChange={(event) => set({ timezone: event.currentTarget.value })}
        error={error('timezone')}
        data-autofocus
      />
      <datalist id="zones">
        {ZONES.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <Switch
        label={t('people.one.restricted')}
        checked={value.working_hours !== null}
        onChange={(event) => set({ working_hours: event.currentTarget.checked ? [USUAL] : null })}
      />
      {spans.map((span, index) => (
        <Fieldset key={index} legend={t('people.one.span', { number: index + 1 })} p="sm">
          <Days days={span.days} set={(days) => put(index, { days })} />
          <Group align="flex-start" gap="xs" mt="xs">
            <TextInput
              type="time"
              label={t('people.one.start')}
              value={span.start}
              onChange={(event) => put(index, { start: event.currentTarget.value })}
            />
            <TextInput
              label={t('people.one.end')}
              placeholder="17:30"
              w={90}
              value={span.end}
              onChange={(event) => put(index, { end: event.currentTarget.value })}
            />
          </Group>
          <Text size="xs" c="dimmed">
            {t('people.one.end_about')}
          </Text>
          <RemoveButton
            label={t('people.one.remove_span', { number: index + 1 })}
            remove={() => set({ working_hours: spans.filter((_, place) => place !== index) })}
          />
        </Fieldset>
      ))}
      <FieldError message={error('working_hours')} />
      {value.working_hours !== null && (
        <Button
          variant="default"
          onClick={() => set({ working_hours: [...spans, { ...USUAL, days: ['sat'] }] })}
        >
          {t('people.one.add_span')}
        </Button>
      )}
    </>
  );
}

function Days({ days, set }: { days: Span['days']; set: (days: Span['days']) => void }) {
  const { t, i18n } = useTranslation();
  const name = new Intl.DateTimeFormat(i18n.language, { weekday: 'short', timeZone: 'UTC' });
  // A Monday, and the six days after it.
  const labels = WEEK.map((_, index) => name.format(Date.UTC(2026, 10, 23 + index)));
  return (
    <Checkbox.Group
      label={t('people.one.days')}
      value={days}
      onChange={(chosen) => set(WEEK.filter((day) => chosen.includes(day)))}
    >
      <Group gap="xs" mt={4}>
        {WEEK.map((day, index) => (
          <Checkbox key={day} value={day} label={labels[index]} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
