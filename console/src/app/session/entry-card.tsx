import { Paper, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import classes from './entry-card.module.css';

/** The frame of pages without a shell. */
export function EntryCard({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Fairlead`;
  }, [title]);
  return (
    <main className={classes.page}>
      <Paper className={classes.card} withBorder p="xl">
        <Title order={1} size="h2" mb="md">
          {title}
        </Title>
        {children}
      </Paper>
    </main>
  );
}
