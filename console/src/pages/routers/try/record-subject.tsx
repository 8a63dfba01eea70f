import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findRecords } from '../../../api/find-records';
import { recordNamesQuery, type ObjectType } from '../../../api/records';

interface RecordSubjectProps {
  type: ObjectType;
  id: string | undefined;
  onChange: (id: string | undefined) => void;
}

/** A record that is there, by its e-mail, website or id. */
export function RecordSubject({ type, id, onChange }: RecordSubjectProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 250);
  const { data = [] } = useQuery({
    queryKey: ['find-records', q],
    queryFn: () => findRecords(q),
    enabled: q.length > 2,
  });
  const names = useQuery(recordNamesQuery(type, id === undefined ? [] : [id])).data ?? {};
  const found = data.filter((one) => one.type === type).map((one) => ({ value: one.id, label: one.name }));
  const own =
    id === undefined || found.some(({ value }) => value === id)
      ? []
      : [{ value: id, label: names[id] ?? id }];
  return (
    <Select
      label={t(`common.type.${type}`)}
      description={t('routers.try.record_text')}
      data={[...own, ...found]}
      value={id ?? null}
      onChange={(next) => onChange(next ?? undefined)}
      onSearchChange={setTyped}
      // The service has found them, by values that the label need not have.
      filter={({ options }) => options}
      nothingFoundMessage={q.length > 2 ? t('shell.find_nothing') : undefined}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear_one', { name: t(`common.type.${type}`) }) }}
    />
  );
}
