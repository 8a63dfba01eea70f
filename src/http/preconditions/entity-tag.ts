import { crc32 } from 'node:zlib';

/** What a tag has: the version of what is answered, and a checksum of the answer. */
const TAG = /^"(\d{1,18})-[0-9a-f]{8}"$/;

/**
 * Returns the strong entity tag (RFC 9110 section 8.8.3) of an answer. What one version is answered with
 * varies, such as by the properties that are asked for, so the tag has a checksum of the answer too.
 * @param version a number that differs for every change of what is answered
 */
export function entityTag(version: string, body: object): string {
  return `"${version}-${crc32(JSON.stringify(body)).toString(16).padStart(8, '0')}"`;
}

/**
 * One tag of a list, or none (RFC 9110 section 5.6.1), with the comma behind it. Sticky: it begins where the
 * one before ended.
 */
const ELEMENT = /[ \t]*(?:(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(,|$)/y;

/** A tag of a header. */
export interface ListedTag {
  readonly isWeak: boolean;
  /** With its quotes. */
  readonly tag: string;
}

/** Reads a list of tags; undefined for what is none. */
export function readTags(list: string): readonly ListedTag[] | undefined {
  const tags: ListedTag[] = [];
  ELEMENT.lastIndex = 0;
  for (;;) {
    const found = ELEMENT.exec(list);
    if (found === null) return undefined;
    const [, weak, tag, comma] = found;
    if (tag !== undefined) tags.push({ isWeak: weak !== undefined, tag });
    if (comma === '') return tags.length === 0 ? undefined : tags;
  }
}

/** Returns the version that a tag has; undefined for a tag that no answer has. */
export function versionOfTag(tag: string): string | undefined {
  return TAG.exec(tag)?.[1];
}
