import { Button, CloseButton, Group, Select, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { word } from '../../model/say';
import { replaced } from '../lists';
import type { Field, Trigger } from '../../api/types';
import { conditionOf, operatorsOf, type Condition } from './trigger';
import { keepFocus } from '../keep-focus';
import { OperandInput } from './operand-input';
import classes from './conditions.module.css';

interface TriggerEditorProps {
  trigger: Trigger;
  fields: readonly Field[];
  onChange: (trigger: Trigger) => void;
}

/** The conditions of a router or rule: all of a group must hold, and any group is enough. */
export function TriggerEditor({ trigger: { groups }, fields, onChange }: TriggerEditorProps) {
  const { t } = useTranslation();
  const set = (place: number, conditions: Condition[]) =>
    onChange({ groups: replaced(groups, place, conditions.length === 0 ? undefined : { conditions }) });
  const first = fields[0]?.internal_name ?? '';
  const blank = conditionOf(first, 'eq', '');
  return (
    <Stack gap="xs">
      {groups.length === 0 && <Text size="sm">{t('routers.takes_all')}</Text>}
      {groups.map(({ conditions }, place) => (
        <fieldset key={place} className={classes.group}>
          <legend>{place === 0 ? t('routers.if') : t('routers.or_if')}</legend>
          {conditions.map((condition, index) => (
            <ConditionRow
              key={index}
              condition={condition}
              fields={fields}
              onChange={(changed) => set(place, replaced(conditions, index, changed))}
            />
          ))}
          <Button variant="subtle" size="compact-xs" onClick={() => set(place, [...conditions, blank])}>
            {t('routers.and_condition')}
          </Button>
        </fieldset>
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          disabled={first === ''}
          onClick={() => onChange({ groups: [...groups, { conditions: [blank] }] })}
        >
          {t(groups.length === 0 ? 'routers.add_condition' : 'routers.or_condition')}
        </Button>
      </Group>
    </Stack>
  );
}

interface ConditionRowProps {
  condition: Condition;
  fields: readonly Field[];
  onChange: (condition: Condition | undefined) => void;
}

function ConditionRow({ condition: { field, operator, value }, fields, onChange }: ConditionRowProps) {
  const { t } = useTranslation();
  const known = fields.find(({ internal_name }) => internal_name === field);
  const type = known?.type ?? 'string';
  const names = fields.map(({ internal_name, label }) => ({ value: internal_name, label }));
  return (
    <div className={classes.condition}>
      <Select
        aria-label={t('routers.field')}
        data={known === undefined ? [{ value: field, label: field }, ...names] : names}
        value={field}
        searchable
        allowDeselect={false}
        onChange={(next) => {
          const other = fields.find(({ internal_name }) => internal_name === next);
          if (other === undefined) return;
          const stays = operatorsOf(other.type, 'eq').includes(operator);
          onChange(conditionOf(other.internal_name, stays ? operator : 'eq', ''));
        }}
      />
      <Select
        aria-label={t('routers.operator')}
        data={operatorsOf(type, operator).map((id) => ({ value: id, label: word(t, 'operators', id) }))}
        value={operator}
        allowDeselect={false}
        onChange={(next) => next !== null && onChange(conditionOf(field, next, value))}
      />
      <OperandInput
        field={known}
        operator={operator}
        value={value}
        onChange={(next) => onChange(conditionOf(field, operator, next))}
      />
      <CloseButton
        aria-label={t('routers.remove_condition')}
        onClick={(event) => keepFocus(event.currentTarget, () => onChange(undefined))}
      />
    </div>
  );
}
