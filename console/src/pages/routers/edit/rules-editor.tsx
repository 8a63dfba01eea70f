import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { newId, type Content, type Rule, type Step } from '../model/content';
import { stagesOf } from '../model/stages';
import { replaced } from '../../../parts/lists';
import type { Field } from '../../../api/types';
import { Some } from '../../../parts/some';
import { Spoken } from '../../../parts/states';
import { RULES_SHOWN } from '../parts/rules-words';
import { RemoveButton } from '../../../parts/remove-button';
import { PoolEditor } from './pool-editor';
import { StepsEditor } from './steps-editor';
import { useMoves } from './use-moves';
import { TriggerEditor } from '../../../parts/conditions/trigger-editor';
import classes from './editors.module.css';

interface RulesEditorProps {
  content: Content;
  fields: readonly Field[];
  onChange: (rules: Rule[]) => void;
}

/** The rules of a router in their order, which buttons and Alt with an arrow change. */
export function RulesEditor({ content, fields, onChange }: RulesEditorProps) {
  const { t } = useTranslation();
  const { rules = [] } = content;
  const { list, keys, next, ...moves } = useMoves(rules, onChange);
  // The rule whose form is open, and rules as they were before nobody got what they take: by their keys.
  const [open, setOpen] = useState<number | null>(null);
  const [givers, setGivers] = useState<Readonly<Record<number, Rule>>>({});
  const [reveal, setReveal] = useState<number | null>(null);
  const [said, say] = useState('');
  const move = (place: number, to: number, by: string) => {
    moves.move(place, to, by);
    setReveal(to);
    if (to >= 0 && to < rules.length) say(t('routers.moved_to', { name: rules[place]?.name, place: to + 1 }));
  };
  const onKeyDown = (event: KeyboardEvent, place: number) => {
    const by = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
    if (by === undefined) return;
    event.preventDefault();
    move(place, place + by, 'rule');
  };
  const add = () => {
    const name = freeName(rules, t('routers.new_rule'));
    onChange([...rules, { id: newId(), name, trigger: { groups: [] } }]);
    // Its key, of which none is given twice.
    setOpen(next);
  };
  const refuse = (rule: Rule, key: number, isRefused: boolean): Rule => {
    const { id, name, trigger } = rule;
    // A rule that refuses has neither a pool nor a model.
    const bare: Rule = { ...(id !== undefined && { id }), name, ...(trigger && { trigger }) };
    if (!isRefused) return { ...givers[key], ...bare };
    setGivers({ ...givers, [key]: rule });
    return { ...bare, refuse: true };
  };
  return (
    <>
      <Some
        rows={rules}
        step={RULES_SHOWN}
        textOf={(rule) => JSON.stringify(rule)}
        reveal={open === null ? reveal : keys.indexOf(open)}
      >
        {(some) => (
          <ol className={classes.rules} ref={list}>
            {some.map(({ row: rule, place }) => {
              const key = keys[place] ?? place;
              const isOpen = open === key;
              const change = (changed: Rule | undefined) => onChange(replaced(rules, place, changed));
              return (
                <li key={key} data-place={place} className={classes.rule}>
                  <Group gap="xs" justify="space-between">
                    <Button
                      data-move="rule"
                      data-first
                      size="compact-sm"
                      variant="subtle"
                      aria-expanded={isOpen}
                      aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                      onKeyDown={(event) => onKeyDown(event, place)}
                      onClick={() => setOpen(isOpen ? null : key)}
                    >
                      {`${place + 1}. ${rule.name}`}
                    </Button>
                    <Group gap={4}>
                      <Button
                        data-move="up"
                        size="compact-xs"
                        variant="default"
                        disabled={place === 0}
                        aria-label={t('routers.move_up', { name: rule.name })}
                        onClick={() => move(place, place - 1, 'up')}
                      >
                        ↑
                      </Button>
                      <Button
                        data-move="down"
                        size="compact-xs"
                        variant="default"
                        disabled={place === rules.length - 1}
                        aria-label={t('routers.move_down', { name: rule.name })}
                        onClick={() => move(place, place + 1, 'down')}
                      >
                        ↓
                      </Button>
                      <RemoveButton
                        label={t('routers.remove_rule', { name: rule.name })}
                        remove={() => change(undefined)}
                      />
                    </Group>
                  </Group>
                  {isOpen && (
                    <RuleForm
                      rule={rule}
                      content={content}
                      fields={fields}
                      onChange={change}
                      refuse={(isRefused) => change(refuse(rule, key, isRefused))}
                    />
                  )}
                </li>
              );
            })}
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
  content: Content;
  fields: readonly Field[];
  onChange: (rule: Rule) => void;
  /** Gives what the rule takes to nobody, or to whom it was given before. */
  refuse: (isRefused: boolean) => void;
}

const NO_STEPS: Step[] = [];

function RuleForm({ rule, content, fields, onChange, refuse }: RuleFormProps) {
  const { t } = useTranslation();
  const stages = stagesOf(content, rule);
  const isInherited = rule.steps === undefined && (content.steps ?? []).length > 0;
  return (
    <Stack gap="sm" pl="md" pt="xs">
      <TextInput
        label={t('routers.rule_name')}
        value={rule.name}
        maxLength={200}
        onChange={(event) => onChange({ ...rule, name: event.currentTarget.value })}
        w={320}
        maw="100%"
      />
      <TriggerEditor
        trigger={rule.trigger ?? { groups: [] }}
        fields={fields}
        onChange={(changed) => onChange({ ...rule, trigger: changed })}
      />
      <Checkbox
        label={t('routers.refuses')}
        checked={rule.refuse === true}
        onChange={(event) => refuse(event.currentTarget.checked)}
      />
      {rule.refuse !== true && (
        <>
          <PoolEditor
            pool={rule}
            from={content}
            of="router"
            stage={stages.find(({ place }) => place === 0)}
            onChange={onChange}
          />
          <StepsEditor
            steps={rule.steps ?? NO_STEPS}
            from={{
              distribution_model: rule.distribution_model ?? content.distribution_model,
              rotation_type: rule.rotation_type ?? content.rotation_type,
            }}
            of="rule"
            stages={stages}
            onChange={(steps) => {
              const { steps: _, ...rest } = rule;
              onChange(steps.length === 0 ? rest : { ...rest, steps });
            }}
          />
          {isInherited && <Text size="sm">{t('routers.steps_inherited')}</Text>}
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
