/** Spans of time in an address: `24h` is the last 24 hours, whenever the address is opened; else a date. */
const UNITS = { h: 3_600_000, d: 86_400_000 } as const;
const RELATIVE = /^(\d{1,3})([hd])$/;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

/**
 * The instant that a word of an address means: of `from` the start of a day, of `to` its end, in the zone of
 * the viewer. Undefined for none, and for what is no such word.
 */
export function instantOf(value: string | undefined, edge: 'from' | 'to', now: Date): string | undefined {
  const [, amount, unit] = RELATIVE.exec(value ?? '') ?? [];
  if (amount !== undefined) {
    // By the minute: the same question within it has the same answer at hand.
    const minute = Math.floor(now.getTime() / 60_000) * 60_000;
    return new Date(minute - Number(amount) * UNITS[unit as keyof typeof UNITS]).toISOString();
  }
  const [, year, month, day] = DATE.exec(value ?? '') ?? [];
  if (year !== undefined) {
    const start = new Date(Number(year), Number(month) - 1, Number(day) + (edge === 'to' ? 1 : 0));
    return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
  }
  const at = new Date(value ?? '');
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

export function isRelative(value: string | undefined): boolean {
  return RELATIVE.test(value ?? '');
}
