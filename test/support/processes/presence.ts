const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const HOUR = 3_600_000;

/**
 * Hours, more than any test takes. An instant that is this far from a boundary stays on its side during the
 * test.
 */
const FAR = 2;

/** The wall clock and the calendar of a time zone, some hours from now. */
export function localTime(zone: string, hours = 0): { date: string; weekday: string; time: string } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(Date.now() + hours * HOUR);
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    weekday: part('weekday').toLowerCase(),
    time: `${part('hour')}:${part('minute')}`,
  };
}

/** An instant some hours from now. */
export const hoursFromNow = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();

const block = (zone: string, from: number, to: number): object => ({
  timezone: zone,
  working_hours: [{ days: DAYS, start: localTime(zone, from).time, end: localTime(zone, to).time }],
});

/** Working hours that began two hours ago and go on for two more, on the clock of the zone. */
export const inside = (zone = 'UTC'): object => block(zone, -FAR, FAR);

/** Working hours of every day that do not include now. The next ones begin in two hours. */
export const outside = (zone = 'UTC'): object => block(zone, FAR, 2 * FAR);

/** An absence that began two hours ago and ends in two. */
export const away = (): object => ({ out_of_office: [{ from: hoursFromNow(-FAR), to: hoursFromNow(FAR) }] });

/** The local dates of now and of the next hour, so that midnight during the test does not matter. */
export const today = (zone = 'UTC'): string[] => [
  ...new Set([localTime(zone).date, localTime(zone, 1).date]),
];

/** A week of holidays around now, whatever the time zone. */
export const onHoliday = (): object => ({
  holidays: [-3, -2, -1, 0, 1, 2, 3].map((day) => localTime('UTC', 24 * day).date),
});
