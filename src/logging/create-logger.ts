import pino, { type DestinationStream, type Logger } from 'pino';

/**
 * Creates the logger of the process: one JSON object per line. Keys of errors that can contain secrets are
 * removed.
 * @param level a level of pino, or `silent`
 * @param destination standard output by default
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // Errors of the database driver contain values of the row in `detail` and `parameters`.
      redact: { paths: ['err.detail', 'err.parameters', 'err.query', 'err.driverError'], remove: true },
    },
    destination ?? pino.destination({ sync: false }),
  );
}
