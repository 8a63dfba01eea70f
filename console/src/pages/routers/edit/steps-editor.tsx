import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Pool, type Step } from '../model/content';
import { moved, replaced } from '../../../parts/lists';
import { PoolEditor } from './pool-editor';
import classes from './editors.module.css';

interface StepsEditorProps {
  steps: readonly Step[];
  /** The rule or router that they belong to. */
  from: Pool;
  onChange: (steps: Step[]) => void;
}

const MOST = 20;

/** The pools that are tried one after the other while nobody of the one before is available. */
export function StepsEditor({ steps, from, onChange }: StepsEditorProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {t('routers.steps')}
      </Text>
      <ol className={classes.rules}>
        {steps.map((step, place) => {
          const label = t('routers.step_n', { n: place + 1 });
          return (
            <li key={step.id ?? place} className={classes.rule}>
              <Group gap="xs" align="flex-end" mb="xs">
                <TextInput
                  label={label}
                  value={step.name ?? ''}
                  maxLength={200}
                  onChange={({ currentTarget: { value } }) => {
                    const { name: _, ...rest } = step;
                    onChange(replaced(steps, place, value === '' ? rest : { ...rest, name: value }));
                  }}
                />
                <Button
                  size="xs"
                  variant="default"
                  disabled={place === 0}
                  aria-label={t('routers.move_up', { name: label })}
                  onClick={() => onChange(moved(steps, place, place - 1))}
                >
                  ↑
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={t('routers.remove_rule', { name: label })}
                  onClick={() => onChange(replaced(steps, place, undefined))}
                >
                  {t('common.remove')}
                </Button>
              </Group>
              <PoolEditor
                pool={step}
                from={from}
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
