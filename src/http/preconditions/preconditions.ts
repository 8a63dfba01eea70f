import type { IncomingHttpHeaders } from 'node:http';
import { crc32 } from 'node:zlib';
import type { Failures } from '../../errors/errors.js';

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
