import { isTimeZone } from 'class-validator';
import { rule } from '../../validation/decorators.js';

/** Most zones that are remembered; there are about 600, each of which may be spelled in many cases. */
const MOST_KNOWN = 1_000;

const known = new Set<string>();

/**
 * Property decorator for a zone such as `America/New_York`. A zone that was accepted is remembered: Intl
 * takes 0.1 ms to look one up, and a file has one for each of its users.
 */
export const IsKnownTimeZone = (): PropertyDecorator =>
  rule(
    'isKnownTimeZone',
    'must be an IANA zone such as America/New_York',
    (value) => known.has(value as string) || isNewTimeZone(value),
  );

function isNewTimeZone(value: unknown): boolean {
  if (!isTimeZone(value)) return false;
  if (known.size < MOST_KNOWN) known.add(value as string);
  return true;
}
