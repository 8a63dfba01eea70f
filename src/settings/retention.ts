// Apart from settings.ts: the command line says them in its help, and loads no rules for that.
/** Least days for which assignments are kept: the windows of limits need the last 31. */
export const LEAST_RETENTION = 62;

/** Most days for which anything is kept that is not kept for ever. */
export const MOST_RETENTION = 36_500;
