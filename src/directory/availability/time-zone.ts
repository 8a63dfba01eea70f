import { DateTime } from 'luxon';

export const DAY = 86_400_000;

/** A stretch of time in which a time zone keeps its offset. In milliseconds. */
export interface Stretch {
  readonly from: number;
  /** The first instant behind it. */
  readonly to: number;
  /** What local time is ahead of UTC. */
  readonly offset: number;
}

/** Returns the stretches of a time zone from an instant to another; undefined for an unknown zone. */
export function stretchesOf(timezone: string, from: number, to: number): readonly Stretch[] | undefined {
  const { zone, isValid } = DateTime.fromMillis(from, { zone: timezone });
  if (!isValid) return undefined;
  const offsetAt = (time: number): number => zone.offset(time) * 60_000;
  const stretches: Stretch[] = [];
  let begun = from;
  for (let time = from; time < to;) {
    const offset = offsetAt(begun);
    const next = Math.min(time + DAY, to);
    if (offsetAt(next) === offset) {
      time = next;
      continue;
    }
    // The change is found by halves.
    let [before, behind] = [time, next];
    while (behind - before > 1) {
      const middle = Math.floor((before + behind) / 2);
      if (offsetAt(middle) === offset) before = middle;
      else behind = middle;
    }
    stretches.push({ from: begun, to: behind, offset });
    [begun, time] = [behind, behind];
  }
  return [...stretches, { from: begun, to, offset: offsetAt(begun) }];
}
