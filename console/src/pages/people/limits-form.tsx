import { NumberInput, Radio, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PersonFormProps } from './person-editor';

const PERIODS = ['hour', 'day', 'week', 'month'] as const;

/** Edits the most assignments in a span. */
export function LimitsForm({ value, set, error }: PersonFormProps) {
  const { t } = useTranslation();
  const limits = value.limits ?? {};
  const put = (changes: typeof limits) => {
    const next = { ...limits, ...changes };
    const kept = Object.entries(next).filter(([, limit]) => limit !== undefined);
    const isSet = kept.some(([key]) => key !== 'window');
    set({ limits: isSet ? Object.fromEntries(kept) : null });
  };
  return (
    <Stack>
      <Text size="sm">{t('people.one.at_most')}</Text>
      {PERIODS.map((period) => (
        <NumberInput
          key={period}
          label={t(`people.periods.${period}`)}
          value={limits[period] ?? ''}
          onChange={(most) => put({ [period]: typeof most === 'number' ? most : undefined })}
          min={0}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          error={error(`limits.${period}` as 'limits')}
        />
      ))}
      <Radio.Group
        label={t('people.one.window')}
        value={limits.window ?? 'rolling'}
        onChange={(window) => put({ window: window === 'calendar' ? 'calendar' : undefined })}
      >
        {(['rolling', 'calendar'] as const).map((window) => (
          <Radio key={window} value={window} label={t(`people.one.windows.${window}`)} mt="xs" />
        ))}
      </Radio.Group>
    </Stack>
  );
}
