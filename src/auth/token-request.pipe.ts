import { createParamDecorator, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import type { Request } from 'express';
import { Failures } from '../errors/errors.js';
import { collectQuery, headerValues } from '../http/index.js';
import { parseTokenRequest, type TokenRequest } from './token-request.js';

/** The parts of an HTTP request that a token request consists of. */
interface TokenRequestParts {
  /** The parsed form or JSON; undefined without a body. */
  readonly body: unknown;
  /** The raw values of all Authorization headers. */
  readonly authorization: readonly string[];
  /** The query parameters, of which the route takes none. */
  readonly failures: Failures;
}

/** Parameter decorator: the body, the Authorization header and failing parameters, for `TokenRequestPipe`. */
export const TokenRequestOf = createParamDecorator(
  (_: unknown, context: ExecutionContext): TokenRequestParts => {
    const request = context.switchToHttp().getRequest<Request>();
    const failures = new Failures();
    collectQuery(request, {}, failures);
    const authorization = headerValues(request, 'authorization');
    return { body: request.body as unknown, authorization, failures };
  },
);

/** Parses a token request (see `parseTokenRequest`). @throws 400 naming every failing parameter */
@Injectable()
export class TokenRequestPipe implements PipeTransform<TokenRequestParts, TokenRequest> {
  transform({ body, authorization, failures }: TokenRequestParts): TokenRequest {
    return parseTokenRequest(body, authorization, failures);
  }
}
