import { isUtf8 } from 'node:buffer';
import { parse as parseForm } from 'node:querystring';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../../errors/domain-error.js';
import { invalid } from '../../errors/errors.js';
import { bytesOf } from '../../settings/bytes-of.js';
import type { Settings } from '../../settings/settings.js';
import { SETTINGS } from '../../settings/settings.token.js';
import { whenAnswered } from '../connection/when-closed.js';
import { EndpointConventions } from '../endpoint-conventions.js';
import { exceededBound } from './json-bounds.js';
import { BodyBudget } from './body-budget.js';
import { parseJson } from './parse-json.js';
import { inflateBody, receiveBody, type SentBody } from './read-body.js';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Methods whose bodies have no meaning (RFC 9110 section 9.3). */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** Memory of the bodies of requests that are not answered, of one account and of all. */
const BUDGET = { perHolder: 16 * 1024 * 1024, total: 64 * 1024 * 1024 };

/** Bytes of a body that the budget does not count: about as many as a connection costs anyway. */
const UNCOUNTED = 16 * 1024;

interface ReceivedBody extends SentBody {
  readonly isForm: boolean;
  /** Most bytes after it is inflated. */
  readonly limit: number;
}

/**
 * Reads and parses the body of a request: JSON everywhere, and forms where the convention of a path allows
 * them.
 */
@Injectable()
export class BodyReader {
  private readonly limit: number;
  private readonly budget = new BodyBudget(BUDGET);
  private readonly received = new WeakMap<Request, ReceivedBody>();

  constructor(
    private readonly conventions: EndpointConventions,
    @Inject(SETTINGS) { BODY_LIMIT }: Pick<Settings, 'BODY_LIMIT'>,
  ) {
    this.limit = bytesOf(BODY_LIMIT);
  }

  /** Whether a body is still to be read. A body that a parser has read is left as it is. */
  isDue({ method, headers, body }: Request): boolean {
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return false;
    return body === undefined && !WITHOUT_BODY.has(method);
  }

  /**
   * Receives the body of a request, and keeps it for `parse`. A media type that the convention of the path
   * allows, other than a form, is left to the route.
   * @param holder the account of the request, if any
   * @throws DomainError 413, 415, 503 when too many large bodies are held
   */
  async receive(request: Request, response: Response, holder: string | undefined): Promise<void> {
    const { mediaTypes = [], bodyLimit, compressed = true } = this.conventions.of(request) ?? {};
    const { type, charset } = contentTypeOf(request);
    const length = request.headers['content-length'];
    if (type === undefined && Number(length) === 0) return;
    if (type !== JSON_TYPE && (type === undefined || !mediaTypes.includes(type))) {
      throw new DomainError(
        'unsupported_media_type',
        `The Content-Type must be ${[...mediaTypes, JSON_TYPE].join(' or ')}`,
      );
    }
    if (type !== JSON_TYPE && type !== FORM_TYPE) return;
    if (charset !== undefined && charset !== 'utf-8')
      throw new DomainError('unsupported_media_type', 'The body must be UTF-8');
    const limit = Math.min(bodyLimit ?? this.limit, this.limit);
    const expected = length === undefined ? limit : Math.min(Number(length), limit);
    if (expected > UNCOUNTED) whenAnswered(request, response, this.budget.reserve(holder ?? '', expected));
    const sent = await receiveBody(request, { limit, compressed });
    this.received.set(request, { ...sent, isForm: type === FORM_TYPE, limit });
  }

  /**
   * Inflates and parses the body that was received, and puts its value on the request. A body of no bytes is
   * an empty object.
   * @returns a promise where the body is compressed
   * @throws DomainError 400, 413
   */
  parse(request: Request): undefined | Promise<void> {
    const received = this.received.get(request);
    if (received === undefined) return undefined;
    this.received.delete(request);
    const { isForm, limit, bytes, encoding } = received;
    const put = (inflated: Buffer): void => void (request.body = parseBody(inflated, isForm));
    if (encoding !== 'identity') return inflateBody(received, limit).then(put);
    put(bytes);
    return undefined;
  }
}

/** Parses every parameter. The bytes of a form are few. */
const WHOLE = { maxKeys: 0 };

function parseBody(bytes: Buffer, isForm: boolean): unknown {
  if (!isUtf8(bytes)) throw invalid([{ message: 'The body is not valid UTF-8' }]);
  // Parameters of a form are names in an object without a prototype, so each name is an ordinary one.
  return isForm ? parseForm(bytes.toString(), '&', '=', WHOLE) : jsonOf(bytes);
}

/** The media type of a body, in lower case and without parameters, and its charset. */
interface ContentType {
  readonly type: string | undefined;
  readonly charset: string | undefined;
}

/** What most clients send. */
const PLAIN_JSON: ContentType = { type: JSON_TYPE, charset: undefined };

function contentTypeOf({ headers }: Request): ContentType {
  if (headers['content-type'] === JSON_TYPE) return PLAIN_JSON;
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='));
  return {
    type: type.trim() === '' ? undefined : type.trim(),
    charset: charset?.slice('charset='.length).replaceAll('"', ''),
  };
}

const BYTE_ORDER_MARK = '\uFEFF';

function jsonOf(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  const excess = exceededBound(bytes);
  if (excess !== undefined) throw invalid([{ message: excess }]);
  const text = bytes.toString();
  try {
    return parseJson(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch {
    throw invalid([{ message: 'The body is not valid JSON' }]);
  }
}
