import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../../errors/domain-error.js';
import { unavailable } from '../../errors/errors.js';
import { bytesOf } from '../../settings/rules.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import { whenAnswered } from '../connection/owed-answers.js';
import { EndpointConventions } from '../endpoint-conventions.js';
import { deadlineOf, requestOf, responseOf } from '../middleware.js';
import { formOf, inflateBody, isReadable, jsonOf, receiveBytes } from './read-body.js';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Methods whose bodies have no meaning (RFC 9110 section 9.3). */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** Bytes of the bodies of requests that are not answered: of one account, and of all together. */
const MOST_OF_ACCOUNT = 16 * 1024 * 1024;
const MOST_OF_ALL = 64 * 1024 * 1024;

/** Bytes of a body that are not counted: about as many as a connection costs anyway. */
const UNCOUNTED = 16 * 1024;

/** How to inflate and parse each body that is received and not parsed yet. */
const unparsed = new WeakMap<Request, () => Promise<unknown>>();

type AuthorizedRequest = Request & { user?: { accountId?: string } };

/**
 * Receives the body of each request that has a route: JSON everywhere, and forms where the convention of a
 * path allows them. It is a guard that is registered after `AccountGuard`, so that nothing of a body is read
 * before the token is verified, and nothing at all for a path without a route. A body that a parser has read
 * stays as it is; one of another media type that the convention allows is left to the route. Throws 413, 415
 * and 503.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  private readonly limit: number;
  private readonly heldBytes = new Map<string, number>();
  private heldInAll = 0;

  constructor(
    private readonly conventions: EndpointConventions,
    @Inject(SETTINGS) { BODY_LIMIT }: Pick<Settings, 'BODY_LIMIT'>,
  ) {
    this.limit = bytesOf(BODY_LIMIT);
  }

  canActivate(context: ExecutionContext): true | Promise<true> {
    const request = requestOf<AuthorizedRequest>(context);
    const { headers } = request;
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    if (!hasBody || request.body !== undefined || WITHOUT_BODY.has(request.method)) return true;
    return this.receive(request, responseOf(context));
  }

  private async receive(request: AuthorizedRequest, response: Response): Promise<true> {
    const since = performance.now();
    const { mediaTypes = [], bodyLimit = this.limit, compressed } = this.conventions.of(request) ?? {};
    const length = request.headers['content-length'];
    const type = mediaTypeOf(request, [...mediaTypes, JSON_TYPE]);
    if (type !== JSON_TYPE && type !== FORM_TYPE) return true;
    const encoding = encodingOf(request, compressed);
    const limit = Math.min(bodyLimit, this.limit);
    const expected = Math.min(Number(length ?? limit), limit);
    if (expected > UNCOUNTED) this.hold(expected, request, response);
    const bytes = await receiveBytes(request, limit);
    const parse = type === FORM_TYPE ? formOf : jsonOf;
    unparsed.set(request, async () => parse(await inflateBody(bytes, encoding, limit)));
    // A client that sends slowly does not take the time from the work.
    deadlineOf(request)?.extend(performance.now() - since);
    return true;
  }

  /**
   * Counts the bytes of a body until its request is answered.
   * @throws DomainError 503 where too many are held
   */
  private hold(bytes: number, request: AuthorizedRequest, response: Response): void {
    const account = request.user?.accountId ?? '';
    const held = this.heldBytes.get(account) ?? 0;
    if (held + bytes > MOST_OF_ACCOUNT || this.heldInAll + bytes > MOST_OF_ALL) {
      throw unavailable('Too many large requests are in progress, try again shortly');
    }
    this.count(account, bytes);
    whenAnswered(request, response, () => this.count(account, -bytes));
  }

  private count(account: string, bytes: number): void {
    const held = (this.heldBytes.get(account) ?? 0) + bytes;
    if (held === 0) this.heldBytes.delete(account);
    else this.heldBytes.set(account, held);
    this.heldInAll += bytes;
  }
}

/**
 * Inflates and parses the body that `BodyGuard` has received. It is registered after `ShareGuard`: a request
 * that waits for its share holds the bytes that were sent, and not what they become. Throws 400 and 413.
 */
@Injectable()
export class ParseGuard implements CanActivate {
  canActivate(context: ExecutionContext): true | Promise<true> {
    const request = requestOf(context);
    const parse = unparsed.get(request);
    return parse === undefined || this.parse(request, parse);
  }

  private async parse(request: Request, parse: () => Promise<unknown>): Promise<true> {
    unparsed.delete(request);
    request.body = await parse();
    return true;
  }
}

/**
 * The media type of a body; undefined for a body of no bytes without one.
 * @throws DomainError 415 for one that is not allowed, or that is not UTF-8
 */
function mediaTypeOf({ headers }: Request, allowed: readonly string[]): string | undefined {
  const [first = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const type = first.trim();
  if (type === '' && Number(headers['content-length']) === 0) return undefined;
  if (!allowed.includes(type)) {
    throw new DomainError('unsupported_media_type', `The Content-Type must be ${allowed.join(' or ')}`);
  }
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='));
  const isText = type === JSON_TYPE || type === FORM_TYPE;
  if (isText && charset !== undefined && !/^charset="?utf-8"?$/.test(charset)) {
    throw new DomainError('unsupported_media_type', 'The body must be UTF-8');
  }
  return type;
}

/** The content encoding of a body, in lower case. @throws DomainError 415 for one that is not allowed */
function encodingOf({ headers }: Request, compressed = true): string {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (!compressed && encoding !== 'identity') {
    throw new DomainError('unsupported_media_type', 'The body must not be compressed here');
  }
  if (isReadable(encoding)) return encoding;
  throw new DomainError(
    'unsupported_media_type',
    'The body must be plain or compressed with gzip, deflate or br',
  );
}
