import { randomUUID } from 'node:crypto';

const COUNTER_END = 0x1000;
let time = 0;
let counter = 0;

/**
 * Returns a new UUIDv7 that is greater than every id this process made before. A counter of 12 bits follows
 * the time (RFC 9562 section 6.2, method 1). When the counter overflows within one millisecond, or the clock
 * runs backwards, the time in the id runs ahead of the clock. Node.js draws the random bits of 128 ids at
 * once. The package uuid asks the kernel for each id, which costs 15 µs per request.
 */
export function newId(): string {
  const now = Date.now();
  counter += 1;
  if (now > time) [time, counter] = [now, 0];
  else if (counter === COUNTER_END) [time, counter] = [time + 1, 0];
  return `${firstBits(time)}-7${counter.toString(16).padStart(3, '0')}${randomUUID().slice(18)}`;
}

/**
 * Returns the least id that a row made at that instant or later can have. It finds rows by time through their
 * ids.
 */
export function firstIdAt(at: Date): string {
  return `${firstBits(Math.max(0, at.getTime()))}-7000-8000-000000000000`;
}

/** Returns the milliseconds since 1970 that a UUIDv7 begins with. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Returns the first 48 bits of a UUIDv7. */
function firstBits(milliseconds: number): string {
  const hex = milliseconds.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
