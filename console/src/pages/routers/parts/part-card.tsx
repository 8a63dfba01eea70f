import { Button, Group, Text, Title } from '@mantine/core';
import { Suspense, useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Loading } from '../../../parts/states';
import classes from './part-card.module.css';

interface PartCardProps {
  title: string;
  /** How it differs from what is live, or from what is saved. */
  change: 'draft' | 'unsaved' | undefined;
  /** The part in words. */
  children: ReactNode;
  /** Left out where it cannot be edited. */
  editor?: ReactNode;
}

/** One step of the order of a decision: in words, and below them what edits it. */
export function PartCard({ title, change, children, editor }: PartCardProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <li className={classes.card}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <Title order={2} size="h6">
          {title}
          {change !== undefined && (
            <Text span size="xs" className="caution">
              {` · ${t(`routers.changed_${change}`)}`}
            </Text>
          )}
        </Title>
        {editor !== undefined && (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={t(isOpen ? 'routers.done_part' : 'common.edit_part', { part: title })}
            onClick={() => setOpen(!isOpen)}
          >
            {t(isOpen ? 'routers.done' : 'common.edit')}
          </Button>
        )}
      </Group>
      <div className={`${classes.words} in-text`}>{children}</div>
      <div id={id} hidden={!isOpen} className={classes.editor}>
        {isOpen && <Suspense fallback={<Loading />}>{editor}</Suspense>}
      </div>
    </li>
  );
}
