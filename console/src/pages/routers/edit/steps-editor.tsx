import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Pool, Step } from '../model/content';
import type { Stage } from '../model/stages';
import { replaced } from '../../../parts/lists';
import { RemoveButton } from '../../../parts/remove-button';
import { PoolEditor } from './pool-editor';
import { useMoves } from './use-moves';
import classes from './editors.module.css';

interface StepsEditorProps {
  steps: readonly Step[];
  /** How the rule or router that they belong to gives turns. */
  from: Pool;
  of: 'rule' | 'router';
  /** What is tried with them. */
  stages: readonly Stage[];
  onChange: (steps: Step[]) => void;
}

const MOST = 20;

/** The pools that are tried one after the other while nobody of the one before is available. */
export function StepsEditor({ steps, from, of, stages, onChange }: StepsEditorProps) {
  const { t } = useTranslation();
  const { list, keys, move } = useMoves(steps, onChange);
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {t('routers.steps')}
      </Text>
      <ol className={classes.rules} ref={list}>
        {steps.map((step, place) => {
          const label = t('routers.step_n', { n: place + 1 });
          return (
            <li key={keys[place]} data-place={place} className={classes.rule}>
              <Group gap="xs" align="flex-end" mb="xs">
                <TextInput
                  data-first
                  label={label}
                  value={step.name ?? ''}
                  maxLength={200}
                  onChange={({ currentTarget: { value } }) => {
                    const { name: _, ...rest } = step;
                    onChange(replaced(steps, place, value === '' ? rest : { ...rest, name: value }));
                  }}
                />
                <Button
                  data-move="up"
                  size="xs"
                  variant="default"
                  disabled={place === 0}
                  aria-label={t('routers.move_up', { name: label })}
                  onClick={() => move(place, place - 1, 'up')}
                >
                  ↑
                </Button>
                <RemoveButton
                  label={t('routers.remove_rule', { name: label })}
                  remove={() => onChange(replaced(steps, place, undefined))}
                />
              </Group>
              <PoolEditor
                pool={step}
                from={from}
                of={of}
                stage={stages.find((stage) => stage.place === place + 1)}
                onChange={(changed) => onChange(replaced(steps, place, changed))}
              />
            </li>
          );
        })}
      </ol>
      <Group>
        <Button
          size="xs"
          variant="default"
          disabled={steps.length >= MOST}
          onClick={() => onChange([...steps, {}])}
        >
          {t('routers.add_step')}
        </Button>
      </Group>
    </Stack>
  );
}
