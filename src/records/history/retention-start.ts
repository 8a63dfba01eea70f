import type { Settings } from '../../settings/settings.js';

const DAY = 86_400_000;

/** Returns the instant before which changes are not kept; undefined where all are. @param now milliseconds */
export function retentionStart(
  { HISTORY_RETENTION_DAYS: days }: Pick<Settings, 'HISTORY_RETENTION_DAYS'>,
  now: number,
): Date | undefined {
  return days === undefined ? undefined : new Date(now - days * DAY);
}
