import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler } from 'express';
import { DomainError } from '../../errors/domain-error.js';
import { invalid } from '../../errors/errors.js';
import type { EndpointConventions } from '../endpoint-conventions.js';
import { jsonDepth } from './json-depth.js';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Most levels of arrays and objects in a JSON body. */
const MAX_DEPTH = 32;

/**
 * The middleware that reads request bodies: JSON everywhere, and forms where the convention of a path allows
 * them. Any other media type is answered with 415, unless the convention allows it or a parser has read the
 * body before.
 * @param limit most bytes, as body-parser takes it, such as `1mb`
 */
export function bodyParsers(limit: string, conventions: EndpointConventions): RequestHandler[] {
  const otherTypes = (request: Request): readonly string[] => conventions.of(request)?.mediaTypes ?? [];
  const isForm = (request: Request): boolean =>
    mediaTypeOf(request) === FORM_TYPE && otherTypes(request).includes(FORM_TYPE);

  const requireKnownMediaType: RequestHandler = (request, _response, next) => {
    if (!hasUnreadBody(request) || request.is(JSON_TYPE) !== false) {
      next();
      return;
    }
    const allowed = otherTypes(request);
    if (allowed.includes(mediaTypeOf(request))) next();
    else next(new DomainError(415, `The Content-Type must be ${[...allowed, JSON_TYPE].join(' or ')}`));
  };

  return [
    requireKnownMediaType,
    express.json({
      limit,
      strict: false,
      type: JSON_TYPE,
      verify: (...[, , body, charset]) => requireSoundJson(body, charset),
    }),
    express.urlencoded({
      limit,
      extended: false,
      // The parser passes the request of Express.
      type: (request) => isForm(request as Request),
      verify: (_request, _response, body) => requireSoundForm(body),
    }),
  ];
}

function hasUnreadBody(request: Request): boolean {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
  return hasBody && request.body === undefined;
}

/** The media type of a body, in lower case and without parameters. */
function mediaTypeOf({ headers }: Request): string {
  const [type = ''] = String(headers['content-type']).split(';');
  return type.trim().toLowerCase();
}

function requireUtf8(body: Buffer): void {
  if (!isUtf8(body)) throw invalid([{ message: 'The body is not valid UTF-8' }]);
}

/** Checks the bytes of a JSON body, decompressed and not yet parsed. @throws 400, 415 */
function requireSoundJson(body: Buffer, charset: string): void {
  // The parser also decodes UTF-7, -16 and -32, in which the bytes that are checked below mean something
  // else.
  if (charset !== 'utf-8') throw new DomainError(415, 'The body must be UTF-8');
  requireUtf8(body);
  if (jsonDepth(body) > MAX_DEPTH) {
    throw invalid([{ message: `The body nests arrays and objects more than ${MAX_DEPTH} levels deep` }]);
  }
}

/** Names of parameters that the form parser leaves out without an error. */
const DROPPED = new Set(['', '__proto__']);

/** Checks the bytes of a form, decompressed and not yet parsed. @throws 400 */
function requireSoundForm(body: Buffer): void {
  requireUtf8(body);
  const names = new Set(new URLSearchParams(body.toString()).keys());
  const dropped = [...names].filter((name) => DROPPED.has(name));
  if (dropped.length > 0) {
    throw invalid(dropped.map((name) => ({ field: name, message: `Unknown parameter: ${name}` })));
  }
}
