import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { OutcomeUnknownError } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { internal, notFound } from '../../errors/errors.js';
import { LOGGER } from '../../logging/create-logger.js';
import { bytesOf } from '../../settings/rules.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import { sendBesideBody } from '../connection/unread.js';
import { EndpointConventions } from '../endpoint-conventions.js';
import { allowedMethods, isNoRoute } from '../fast-express.adapter.js';
import { requestId } from '../middleware.js';
import { errorBody, RepeatedAnswerError, toDomainError } from './error-body.js';

/**
 * Answers every error with the error object (clause 2.9). Logs errors of status 500 and above completely, but
 * for 503: many requests get it for one cause, which is logged once (see OutageLog).
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly bodyLimit: number;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly conventions: EndpointConventions,
    @Inject(SETTINGS) { BODY_LIMIT }: Pick<Settings, 'BODY_LIMIT'>,
  ) {
    this.bodyLimit = bytesOf(BODY_LIMIT);
  }

  catch(cause: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (cause instanceof RepeatedAnswerError) {
      response.status(cause.status).json(cause.body);
      return;
    }
    const known = isNoRoute(cause) ? noRoute(request) : (toDomainError(cause) ?? internal());
    const id = requestId(request, response);
    if (cause instanceof OutcomeUnknownError) this.logger.warn({ request_id: id, err: cause }, known.message);
    else if (known.status === 503) this.logger.debug({ request_id: id, err: cause }, known.message);
    else if (known.status >= 500) this.logger.error({ request_id: id, err: cause }, known.message);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const error = this.conventions.of(request)?.describeError?.(known) ?? known;
    response.status(error.status).set(error.details.headers ?? {});
    sendBesideBody(response, errorBody(error, id), this.bodyLimit);
  }
}

/** 405 for a path that has routes under other methods, else 404. Express itself only knows "no route". */
function noRoute(request: Request): DomainError {
  const allowed = allowedMethods(request);
  if (allowed.length === 0 || allowed.includes(request.method)) return notFound('Not found');
  const headers = { Allow: allowed.join(', ') };
  const message = `${request.method} is not allowed here; allowed: ${headers.Allow}`;
  return new DomainError('method_not_allowed', message, { headers });
}
