import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { type Pool, type Rule } from '../model/content';
import { moved, replaced } from '../../../parts/lists';
import type { Field } from '../../../api/types';
import { Some } from '../../../parts/some';
import { Spoken } from '../../../parts/states';
import { RULES_SHOWN } from '../parts/rules-words';
import { PoolEditor } from './pool-editor';
import { StepsEditor } from './steps-editor';
import { TriggerEditor } from '../../../parts/conditions/trigger-editor';
import classes from './editors.module.css';

interface RulesEditorProps {
  rules: readonly Rule[];
  /** The router’s own pool, which a rule takes that names nobody. */
  from: Pool;
  fields: readonly Field[];
  onChange: (rules: Rule[]) => void;
}

/** The rules of a router in their order, which buttons and Alt with an arrow change. */
export function RulesEditor({ rules, from, fields, onChange }: RulesEditorProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<number | null>(null);
  const [reveal, setReveal] = useState<number | null>(null);
  const [said, say] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const move = (place: number, to: number) => {
    if (to < 0 || to >= rules.length) return;
    onChange(moved(rules, place, to));
    if (open === place) setOpen(to);
    setReveal(to);
    say(t('routers.moved_to', { name: rules[place]?.name, place: to + 1 }));
    // The rule is drawn at its new place first.
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-rule="${to}"]`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent, place: number) => {
    const by = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
    if (by === undefined) return;
    event.preventDefault();
    move(place, place + by);
  };
  const add = () => {
    onChange([...rules, { name: freeName(rules, t('routers.new_rule')), trigger: { groups: [] } }]);
    setOpen(rules.length);
  };
  return (
    <>
      <Some rows={rules} step={RULES_SHOWN} textOf={(rule) => JSON.stringify(rule)} reveal={open ?? reveal}>
        {(some) => (
          <ol className={classes.rules} ref={list}>
            {some.map(({ row: rule, place }) => (
              <li key={rule.id ?? place} className={classes.rule}>
                <Group gap="xs" justify="space-between">
                  <Button
                    data-rule={place}
                    size="compact-sm"
                    variant="subtle"
                    aria-expanded={open === place}
                    aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                    onKeyDown={(event) => onKeyDown(event, place)}
                    onClick={() => setOpen(open === place ? null : place)}
                  >
                    {`${place + 1}. ${rule.name}`}
                  </Button>
                  <Group gap={4}>
                    <Button
                      size="compact-xs"
                      variant="default"
                      disabled={place === 0}
                      aria-label={t('routers.move_up', { name: rule.name })}
                      onClick={() => move(place, place - 1)}
                    >
                      ↑
                    </Button>
                    <Button
                      size="compact-xs"
                      variant="default"
                      disabled={place === rules.length - 1}
                      aria-label={t('routers.move_down', { name: rule.name })}
                      onClick={() => move(place, place + 1)}
                    >
                      ↓
                    </Button>
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={t('routers.remove_rule', { name: rule.name })}
                      onClick={() => {
                        onChange(replaced(rules, place, undefined));
                        setOpen(null);
                      }}
                    >
                      {t('common.remove')}
                    </Button>
                  </Group>
                </Group>
                {open === place && (
                  <RuleForm
                    rule={rule}
                    from={from}
                    fields={fields}
                    onChange={(changed) => onChange(replaced(rules, place, changed))}
                  />
                )}
              </li>
            ))}
          </ol>
        )}
      </Some>
      <Button size="xs" variant="default" mt="xs" onClick={add}>
        {t('routers.add_rule')}
      </Button>
      <Spoken>{said}</Spoken>
    </>
  );
}

interface RuleFormProps {
  rule: Rule;
  from: Pool;
  fields: readonly Field[];
  onChange: (rule: Rule) => void;
}

function RuleForm({ rule, from, fields, onChange }: RuleFormProps) {
  const { t } = useTranslation();
  const { name, trigger, refuse } = rule;
  return (
    <Stack gap="sm" pl="md" pt="xs">
      <TextInput
        label={t('routers.rule_name')}
        value={name}
        maxLength={200}
        onChange={(event) => onChange({ ...rule, name: event.currentTarget.value })}
        w={320}
        maw="100%"
      />
      <TriggerEditor
        trigger={trigger ?? { groups: [] }}
        fields={fields}
        onChange={(changed) => onChange({ ...rule, trigger: changed })}
      />
      <Checkbox
        label={t('routers.refuses')}
        checked={refuse === true}
        onChange={(event) => {
          // A rule that refuses has neither a pool nor a model.
          const { id } = rule;
          const bare: Rule = { ...(id !== undefined && { id }), name, ...(trigger && { trigger }) };
          onChange(event.currentTarget.checked ? { ...bare, refuse: true } : bare);
        }}
      />
      {refuse !== true && (
        <>
          <PoolEditor pool={rule} from={from} onChange={onChange} />
          <StepsEditor
            steps={rule.steps ?? []}
            from={rule}
            onChange={(steps) => {
              const { steps: _, ...rest } = rule;
              onChange(steps.length === 0 ? rest : { ...rest, steps });
            }}
          />
        </>
      )}
    </Stack>
  );
}

/** A name that no rule has. */
function freeName(rules: readonly Rule[], name: string): string {
  const taken = new Set(rules.map((rule) => rule.name));
  for (let n = rules.length + 1; ; n += 1) {
    const candidate = `${name} ${n}`;
    if (!taken.has(candidate)) return candidate;
  }
}
