import classes from './bar.module.css';

/** Two counts as one bar, in the scale of the largest of its table. The table has the figures. */
export function Bar({ assigned, refused, max }: { assigned: number; refused: number; max: number }) {
  const share = (value: number) => `${max === 0 ? 0 : (100 * value) / max}%`;
  return (
    <span className={classes.bar} aria-hidden>
      <span className={classes.assigned} style={{ width: share(assigned) }} />
      <span className={classes.refused} style={{ width: share(refused) }} />
    </span>
  );
}
