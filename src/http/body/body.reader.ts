import { isUtf8 } from 'node:buffer';
import { parse as parseForm } from 'node:querystring';
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../../errors/domain-error.js';
import { invalid } from '../../errors/errors.js';
import { bytesOf } from '../../settings/bytes-of.js';
import type { Settings } from '../../settings/settings.js';
import { SETTINGS } from '../../settings/settings.token.js';
import { EndpointConventions } from '../endpoint-conventions.js';
import { exceededBound } from './json-bounds.js';
import { readBody } from './read-body.js';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Methods whose bodies have no meaning (RFC 9110 section 9.3). */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/**
 * Reads and parses the body of a request: JSON everywhere, and forms where the convention of a path allows
 * them.
 */
@Injectable()
export class BodyReader {
  private readonly limit: number;

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
   * Reads the body and puts its value on the request. A body of no bytes is an empty object. A media type
   * that the convention of the path allows, other than a form, is left to the route.
   * @throws DomainError 400, 413, 415
   */
  async read(request: Request): Promise<void> {
    const { mediaTypes = [], bodyLimit, compressed = true } = this.conventions.of(request) ?? {};
    const { type, charset } = contentTypeOf(request);
    const allowed = [...mediaTypes, JSON_TYPE];
    if (type === undefined && Number(request.headers['content-length']) === 0) return;
    if (type === undefined || !allowed.includes(type)) {
      throw new DomainError(415, `The Content-Type must be ${allowed.join(' or ')}`);
    }
    if (type !== JSON_TYPE && type !== FORM_TYPE) return;
    if (charset !== undefined && charset !== 'utf-8') throw new DomainError(415, 'The body must be UTF-8');
    const limit = Math.min(bodyLimit ?? this.limit, this.limit);
    const bytes = await readBody(request, { limit, compressed });
    if (!isUtf8(bytes)) throw invalid([{ message: 'The body is not valid UTF-8' }]);
    // Parameters of a form are names in an object without a prototype, so each name is an ordinary one.
    request.body = type === JSON_TYPE ? parseJson(bytes) : parseForm(bytes.toString(), '&', '=', WHOLE);
  }
}

/** Parses every parameter. The bytes of a form are few. */
const WHOLE = { maxKeys: 0 };

/** The media type of a body, in lower case and without parameters, and its charset. */
function contentTypeOf({ headers }: Request): {
  readonly type: string | undefined;
  readonly charset: string | undefined;
} {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='));
  return {
    type: type.trim() === '' ? undefined : type.trim(),
    charset: charset?.slice('charset='.length).replaceAll('"', ''),
  };
}

const BYTE_ORDER_MARK = '\uFEFF';

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  const excess = exceededBound(bytes);
  if (excess !== undefined) throw invalid([{ message: excess }]);
  const text = bytes.toString();
  try {
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch {
    throw invalid([{ message: 'The body is not valid JSON' }]);
  }
}
