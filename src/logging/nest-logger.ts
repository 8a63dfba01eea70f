import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

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
