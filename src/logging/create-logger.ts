import pino, { type DestinationStream, type Logger } from 'pino';

/**
 * The process's logger: one JSON object a line on standard output. What could carry a secret is removed wherever a
 * request or an error is logged.
 * @param level one of pino's levels, or `silent`
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // Errors of the database driver carry the row in `detail` and `parameters`.
      redact: { paths: ['err.detail', 'err.parameters', 'err.query', 'err.driverError'], remove: true },
    },
    destination ?? pino.destination({ sync: false }),
  );
}
