import type { ReactNode } from 'react';
import classes from './tab-links.module.css';

/** Links between pages that belong together. The one that is open is marked. */
export function TabLinks({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={classes.tabs} aria-label={label}>
      {children}
    </nav>
  );
}
