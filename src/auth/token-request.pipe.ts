import { createParamDecorator, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import type { Request } from 'express';
import { parseTokenRequest, type TokenRequest } from './token-request.js';

/** The parts of a request in which a token is asked for. */
interface TokenRequestParts {
  /** What the form or the JSON of the body holds; undefined for none. */
  readonly body: unknown;
  /** The header, as it was sent. */
  readonly authorization: string | undefined;
}

/** The body and the Authorization header together, for `TokenRequestPipe`. */
export const TokenRequestOf = createParamDecorator(
  (_: unknown, context: ExecutionContext): TokenRequestParts => {
    const request = context.switchToHttp().getRequest<Request>();
    return { body: request.body as unknown, authorization: request.headers.authorization };
  },
);

/** Reads a token request. @throws 400 naming every failing parameter */
@Injectable()
export class TokenRequestPipe implements PipeTransform<TokenRequestParts, TokenRequest> {
  transform({ body, authorization }: TokenRequestParts): TokenRequest {
    return parseTokenRequest(body, authorization);
  }
}
