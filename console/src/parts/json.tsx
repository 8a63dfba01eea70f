import { Code } from '@mantine/core';
import classes from './json.module.css';

/** What the API has answered, folded. */
export function Json({ label, value }: { label: string; value: unknown }) {
  return (
    <details className={classes.json}>
      <summary>{label}</summary>
      <Code block tabIndex={0}>
        {JSON.stringify(value, null, 2)}
      </Code>
    </details>
  );
}
