import type { IncomingHttpHeaders } from 'node:http';
import { crc32 } from 'node:zlib';
import type { Failures } from '../../errors/errors.js';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { requestOf, responseOf } from '../middleware.js';

/** What must be so for a write to happen (RFC 9110 section 13.1; contract section 7). */
export interface Preconditions {
  /** `If-Match`: there is a record already. */
  readonly exists?: boolean;
  /** The versions of which it has one; undefined for any. */
  readonly versions?: readonly string[] | undefined;
  /** `If-None-Match: *`: there is none yet. */
  readonly isNew?: boolean;
}

/** What a tag has: the version of what is answered, and a checksum of the answer. */
const TAG = /^"(\d{1,18})-[0-9a-f]{8}"$/;

/** What a proxy that compresses the answer adds to its tag, beside the `W/` before it. */
const ADDED = /^("\d{1,18}-[0-9a-f]{8})(?:[-;:]{1,2}[a-z][a-z0-9]{0,9}){1,3}"$/;

/**
 * One tag of a list, or none (RFC 9110 section 5.6.1), with the comma behind it. Sticky: it begins where the
 * one before ended.
 */
const ELEMENT = /[ \t]*(?:(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(,|$)/y;

/**
 * Returns the strong entity tag (RFC 9110 section 8.8.3) of an answer. What one version is answered with
 * varies, such as by the properties that are asked for, so the tag has a checksum of the answer too.
 * @param version a number that differs for every change of what is answered
 */
export function entityTag(version: string, body: object): string {
  return `"${version}-${crc32(JSON.stringify(body)).toString(16).padStart(8, '0')}"`;
}

/** Whether the `If-None-Match` of a read has the tag of its answer. */
export function isKnown(header: string | undefined, current: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || (readTags(header)?.includes(current) ?? false);
}

/** Reads `If-Match`. @param failures receives what is wrong with it */
export function readIfMatch({ 'if-match': header }: IncomingHttpHeaders, failures: Failures): Preconditions {
  if (header === undefined) return {};
  if (header.trim() === '*') return { exists: true };
  const tags = readTags(header);
  if (tags === undefined) {
    const message = 'If-Match must be * or ETags, in quotes';
    failures.add(() => ({ field: 'If-Match', message }));
  }
  const versions = tags?.flatMap((tag) => TAG.exec(tag)?.[1] ?? []);
  return { exists: true, versions };
}

/** Reads `If-None-Match` of a write, of which only `*` means something. */
export function readIfNoneMatch(
  { 'if-none-match': header }: IncomingHttpHeaders,
  failures: Failures,
): Preconditions {
  if (header === undefined) return {};
  if (header.trim() !== '*') {
    failures.add(() => ({ field: 'If-None-Match', message: 'If-None-Match of a write must be *' }));
  }
  return { isNew: true };
}

/**
 * Reads a list of tags, with their quotes, as they were before a proxy compressed the answer: such a tag
 * names its version all the same (contract section 7). Undefined for what is no list.
 */
function readTags(header: string): readonly string[] | undefined {
  const list = header.trim();
  const tags: string[] = [];
  ELEMENT.lastIndex = 0;
  for (;;) {
    const found = ELEMENT.exec(list);
    if (found === null) return undefined;
    const [, tag, comma] = found;
    if (tag !== undefined) tags.push(tag.replace(ADDED, '$1"'));
    if (comma === '') return tags.length === 0 ? undefined : tags;
  }
}

/** Adds the `Location` of what a route has created, and returns it. */
export type Located = <Created extends { readonly id?: unknown }>(created: Created) => Created;

/** Sets the headers of an answer that is one entity, and returns the answer. */
export interface EntityAnswer {
  /** Sets `ETag`, and the status 304 for a GET whose `If-None-Match` has it. */
  readonly present: <Body extends object>(body: Body) => Body;
  /** Sets `ETag`, `Location` and the status 201. */
  readonly created: Located;
}

interface EntityOptions {
  /** How the last part of the path of the collection is spelled, which clients may write in any case. */
  readonly name: string;
  /** What the path of the request names. Default `item`. */
  readonly path?: 'collection' | 'item';
  /** Returns the version of an entity; undefined for what has none. */
  readonly versionOf: (body: object) => string | undefined;
}

/**
 * Parameter decorator: a function that sets `Location` to the path of the request and the id of what was
 * created, such as `/contacts/<id>`. In a host it has the prefix under which the route is reached.
 * @param name how the last part of the path is spelled, which clients may write in any case
 */
export const LocatedAs = createParamDecorator((name: string, context: ExecutionContext): Located =>
  locating(context, name, 1),
);

/** Parameter decorator: an EntityAnswer. */
export const Entity = createParamDecorator(
  ({ name, path = 'item', versionOf }: EntityOptions, context: ExecutionContext): EntityAnswer => {
    const response = responseOf(context);
    const present: EntityAnswer['present'] = (body) => {
      const version = versionOf(body);
      if (version === undefined) return body;
      const tag = entityTag(version, body);
      response.setHeader('ETag', tag);
      const { method, headers } = requestOf(context);
      const isRead = method === 'GET' || method === 'HEAD';
      // Express does not answer 304 to a request with `Cache-Control: no-cache`, which is for caches, and
      // which `fetch` adds to each `If-None-Match`.
      if (isRead && isKnown(headers['if-none-match'], tag)) response.status(304);
      return body;
    };
    const created: Located = (body) => {
      response.status(201);
      return present(locating(context, name, path === 'item' ? 2 : 1)(body));
    };
    return { present, created };
  },
);

/** @param parts how many parts at the end of the path name and id stand for */
function locating(context: ExecutionContext, name: string, parts: number): Located {
  return (created) => {
    const { baseUrl, path } = requestOf(context);
    const collection = (baseUrl + path).replace(/\/+$/, '').split('/').slice(0, -parts);
    responseOf(context).setHeader('Location', [...collection, name, String(created.id)].join('/'));
    return created;
  };
}
