import type { Settings } from '../settings/settings.js';

/** Returns the settings. @throws Error that says what to use instead when they name an external database */
export function requireEmbedded(settings: Settings, command: string): Settings {
  if (settings.DATABASE_URL === undefined) return settings;
  throw new Error(
    `\`${command}\` is for the embedded database, and DATABASE_URL is set. Use PostgreSQL's own tools, such as ` +
      'pg_basebackup or pg_dump, or `dump` and `load` (docs/backup.md).',
  );
}
