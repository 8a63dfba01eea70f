import pino, { type DestinationStream, type Logger } from 'pino';
import type { LoggerService } from '@nestjs/common';

/** Injection token of the process's logger, a `Logger` of pino. */
export const LOGGER = Symbol('Logger');

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

/** Keys that the message of a request already has, or that are of use to programs only. */
const UNSHOWN = 'req,res,duration_ms,route,client_id,account_id,request_id,context,address';

type Line = Readonly<Record<string, unknown>>;

/** Whether log lines are text for people. @param format unset: on a terminal */
export function isPrettyLog(format: 'json' | 'pretty' | undefined): boolean {
  return format === undefined ? process.stdout.isTTY : format === 'pretty';
}

/**
 * Returns where the logger writes text for people, in colours where the terminal has them; undefined for JSON
 * on standard output.
 */
export async function logDestination(
  format: 'json' | 'pretty' | undefined,
): Promise<DestinationStream | undefined> {
  if (!isPrettyLog(format)) return undefined;
  // Only a terminal needs it.
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    colorize: process.stdout.isTTY && pretty.isColorSupported,
    translateTime: 'SYS:HH:MM:ss',
    ignore: UNSHOWN,
    sync: true,
    messageFormat: (line, messageKey) => textOf(line, String(line[messageKey])),
  });
}

/** Such as `POST /contacts 201 in 12 ms`, and the id by which a failed request is found. */
function textOf(line: Line, message: string): string {
  const { req, res, duration_ms, request_id, address } = line as {
    req?: { method: string; path: string };
    res?: { status: number | null };
    duration_ms?: number;
    request_id?: string;
    address?: string;
  };
  if (address !== undefined) return `${message} on ${address}`;
  const id = request_id === undefined ? '' : ` (request ${request_id})`;
  if (req === undefined) return message + id;
  const answer = message === 'request' ? '' : ` ${message}${id}`;
  return `${req.method} ${req.path} ${res?.status ?? '-'} in ${duration_ms ?? 0} ms${answer}`;
}

/** Writes the messages of Nest to the logger of the process. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, stack?: unknown, context?: unknown): void {
    this.logger.error({ context, stack }, String(message));
  }

  fatal(message: unknown, stack?: unknown): void {
    this.logger.fatal({ stack }, String(message));
  }
}
