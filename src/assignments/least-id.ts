import { firstIdAt } from '../database/index.js';

/**
 * Milliseconds by which the id of an entry may be of an earlier time than its `created_at`: clocks of
 * processes and of the database differ, and are set.
 */
const MARGIN = 86_400_000;

/** The least id of an entry of that instant, in milliseconds since 1970, or later. */
export function leastIdOf(milliseconds: number): string {
  return firstIdAt(new Date(Math.max(0, milliseconds - MARGIN)));
}
