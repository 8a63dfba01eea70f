import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './stat.module.css';

/** Figures side by side. */
export function Stats({ children }: { children: ReactNode }) {
  return <dl className={classes.stats}>{children}</dl>;
}

interface StatProps {
  label: string;
  children: ReactNode;
  /** Under the figure: of what, since when. */
  about?: ReactNode;
}

/** A figure, what it counts, and what it leads to: put a link around the figure. */
export function Stat({ label, children, about }: StatProps) {
  return (
    <div className={classes.stat}>
      <dt>{label}</dt>
      <dd className={classes.figure}>{children}</dd>
      {about !== undefined && (
        <Text component="dd" size="xs" c="dimmed" m={0}>
          {about}
        </Text>
      )}
    </div>
  );
}
