import { randomUUID } from 'node:crypto';

const COUNTER_END = 0x1000;
let time = 0;
let counter = 0;

/**
 * A new UUIDv7, later than any that this process made before: after the time comes a counter of 12 bits (RFC 9562 section
 * 6.2, method 1), and where the clock stands still for longer than it lasts, or runs backwards, the time is ahead of it.
 * Node draws the randomness of 128 ids at once; the package uuid asks the kernel for each, at 15 µs a request.
 */
export function newId(): string {
  const now = Date.now();
  counter += 1;
  if (now > time) [time, counter] = [now, 0];
  else if (counter === COUNTER_END) [time, counter] = [time + 1, 0];
  return `${firstBits(time)}-7${counter.toString(16).padStart(3, '0')}${randomUUID().slice(18)}`;
}

/** The least id that anything of that instant or later can have, for finding rows by time through their ids. */
export function firstIdAt(at: Date): string {
  return `${firstBits(Math.max(0, at.getTime()))}-7000-8000-000000000000`;
}

/** The first 48 bits of a UUIDv7. */
function firstBits(milliseconds: number): string {
  const hex = milliseconds.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** False for anything PostgreSQL would not take as a uuid; such an id is unknown, never an error. */
export function isId(value: string): boolean {
  return UUID.test(value);
}
