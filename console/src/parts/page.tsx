import { Group, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import classes from './page.module.css';

interface PageProps {
  title: string;
  /** Under the title: what the thing is. */
  about?: ReactNode;
  /** Buttons of the page. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of the shell: its heading, which is the title of the window too, and its content. */
export function Page({ title, about, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Fairlead`;
  }, [title]);
  return (
    <div className={classes.page}>
      <Group justify="space-between" align="flex-start" mb="md" gap="sm">
        <div className={classes.head}>
          <Title order={1} size="h3">
            {title}
          </Title>
          {about !== undefined && (
            <Text component="div" c="dimmed" size="sm">
              {about}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </div>
  );
}

/** A part of a page under a heading of its own. */
export function Section({ title, actions, children }: Omit<PageProps, 'about'>) {
  return (
    <section className={classes.section}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </section>
  );
}
