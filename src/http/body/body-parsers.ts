import { isUtf8 } from 'node:buffer';
import express, { type RequestHandler } from 'express';
import { DomainError } from '../../errors/domain-error.js';
import { invalid } from '../../errors/errors.js';
import { isTokenPath } from '../errors/token-endpoint-error.js';
import { jsonDepth } from './json-depth.js';

const MAX_DEPTH = 32;

/** The middleware that reads request bodies: JSON everywhere, a form too on the token endpoint, nothing else. */
export function bodyParsers(limit: string): RequestHandler[] {
  return [
    requireKnownMediaType,
    express.json({ limit, strict: false, type: 'application/json', verify: verifyJson }),
    express.urlencoded({ limit, extended: false, type: isTokenForm, verify: verifyForm }),
  ];
}

const requireKnownMediaType: RequestHandler = (request, _response, next) => {
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
  // What a parser of a host application has read is taken, whatever its type.
  const isRead = (request as { body?: unknown }).body !== undefined;
  if (!hasBody || isRead || request.is('application/json') !== false || isTokenForm(request)) {
    next();
    return;
  }
  const allowed = isTokenPath(pathOf(request.url))
    ? 'application/x-www-form-urlencoded or application/json'
    : 'application/json';
  next(new DomainError(415, `The Content-Type must be ${allowed}`));
};

const pathOf = (url = ''): string => url.split('?')[0] ?? '';

function isTokenForm(request: {
  readonly url?: string | undefined;
  readonly headers: Record<string, unknown>;
}): boolean {
  const [type] = String(request.headers['content-type']).split(';');
  return (
    isTokenPath(pathOf(request.url)) && type?.trim().toLowerCase() === 'application/x-www-form-urlencoded'
  );
}

function verifyUtf8(_request: unknown, _response: unknown, body: Buffer): void {
  if (!isUtf8(body)) throw invalid([{ message: 'The body is not valid UTF-8' }]);
}

function verifyJson(request: unknown, response: unknown, body: Buffer, charset: string): void {
  // The parser would decode UTF-7, -16 and -32 as well, in which the bytes checked here mean something else.
  if (charset !== 'utf-8') throw new DomainError(415, 'The body must be UTF-8');
  verifyUtf8(request, response, body);
  if (jsonDepth(body) > MAX_DEPTH) {
    throw invalid([{ message: `The body nests arrays and objects more than ${MAX_DEPTH} levels deep` }]);
  }
}

/** Names that the form parser leaves out without a word. */
const DROPPED = new Set(['', '__proto__']);

function verifyForm(request: unknown, response: unknown, body: Buffer): void {
  verifyUtf8(request, response, body);
  const names = new Set(new URLSearchParams(body.toString()).keys());
  const dropped = [...names].filter((name) => DROPPED.has(name));
  if (dropped.length > 0) {
    throw invalid(dropped.map((name) => ({ field: name, message: `Unknown parameter: ${name}` })));
  }
}
