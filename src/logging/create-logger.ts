import pino, { type DestinationStream, type Logger } from 'pino';

/**
 * Creates the process's logger, which writes one JSON object per line to standard output. It removes all
 * parts of requests and errors that could contain a secret.
 * @param level one of pino's levels, or `silent`
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // Errors of the database driver contain the row in `detail` and `parameters`.
      redact: { paths: ['err.detail', 'err.parameters', 'err.query', 'err.driverError'], remove: true },
    },
    destination ?? pino.destination({ sync: false }),
  );
}
