import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Collision as Versions } from '../api/edit';
import { isSame } from '../api/merge';

interface CollisionProps<T, C> {
  collision: Versions<T, C> | null;
  /** What a value is called, and how it looks in words. */
  nameOf: (key: string) => string;
  show: (key: string, value: unknown) => string;
  /** Gets what is to stay of mine. */
  resolve: (chosen: C) => void;
  /** Goes back to the edit, which is not saved. */
  goBack: () => void;
}

/** Both versions of what two people have changed at the same time; each value is chosen. */
export function Collision<T extends object, C extends object>(props: CollisionProps<T, C>) {
  const { t } = useTranslation();
  const { collision, goBack } = props;
  return (
    <Modal
      opened={collision !== null}
      onClose={goBack}
      title={t('common.conflict_title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {collision !== null && <Choice {...props} collision={collision} />}
    </Modal>
  );
}

function Choice<T extends object, C extends object>({
  collision: { mine, theirs },
  nameOf,
  show,
  resolve,
  goBack,
}: CollisionProps<T, C> & { collision: Versions<T, C> }) {
  const { t } = useTranslation();
  const present = theirs.value as Record<string, unknown>;
  const entries = Object.entries(mine).filter(([key, value]) => !isSame(value, present[key]));
  const [kept, setKept] = useState<Record<string, string>>({});
  const chosen = Object.fromEntries(entries.filter(([key]) => kept[key] !== 'theirs')) as C;
  return (
    <Stack>
      <Text>{t('common.conflict_text')}</Text>
      {entries.map(([key, value]) => (
        <Radio.Group
          key={key}
          label={nameOf(key)}
          value={kept[key] ?? 'mine'}
          onChange={(side) => setKept({ ...kept, [key]: side })}
        >
          <Radio value="theirs" mt={4} label={`${t('common.conflict_theirs')}: ${show(key, present[key])}`} />
          <Radio value="mine" mt={4} label={`${t('common.conflict_mine')}: ${show(key, value)}`} />
        </Radio.Group>
      ))}
      <Group justify="flex-end">
        <Button variant="default" onClick={goBack}>
          {t('common.conflict_back')}
        </Button>
        <Button onClick={() => resolve(chosen)}>{t('common.conflict_save')}</Button>
      </Group>
    </Stack>
  );
}
