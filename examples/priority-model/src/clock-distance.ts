import type { EligibilityCheck } from 'fairlead';

const DAY = 24 * 60;

/**
 * Keeps out users whose clock differs too much from that of the record's field `time_zone` (an IANA name);
 * reason `clock_distance`. A record without a known time zone is for everybody.
 * @param hours the most that the clocks may differ
 */
export function clockDistance(hours: number): EligibilityCheck {
  return {
    id: 'clock_distance',
    group: 'availability',
    check: (user, { input, readClock }) => {
      const zone = input.record.get('time_zone') ?? '';
      const theirs = zone === '' ? null : readClock(input.at, zone);
      const own = readClock(input.at, user.timezone);
      if (theirs === null || own === null) return { pass: true };
      const between = Math.abs(theirs.minutes - own.minutes);
      // Half past eleven at night and half past midnight are an hour apart.
      const apart = Math.min(between, DAY - between) / 60;
      if (apart <= hours) return { pass: true };
      return { pass: false, reason: 'clock_distance', saw: `${apart}/${hours} h` };
    },
  };
}
