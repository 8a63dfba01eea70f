import type { IncomingHttpHeaders } from 'node:http';
import type { Failures } from '../../errors/failures.js';
import { readTags, versionOfTag } from './entity-tag.js';

/** What must be so for a write to happen (RFC 9110 section 13.1; contract section 7). */
export interface Preconditions {
  /** `If-Match`: there is a record already. */
  readonly exists?: boolean;
  /** The versions of which it has one; undefined for any. */
  readonly versions?: readonly string[] | undefined;
  /** `If-None-Match: *`: there is none yet. */
  readonly isNew?: boolean;
}

/** Reads `If-Match`. A weak tag matches nothing. @param failures receives what is wrong with it */
export function readIfMatch({ 'if-match': header }: IncomingHttpHeaders, failures: Failures): Preconditions {
  if (header === undefined) return {};
  const list = header.trim();
  if (list === '*') return { exists: true };
  const versions = versionsOf(list);
  if (versions === undefined) {
    failures.add(() => ({
      field: 'If-Match',
      message: 'If-Match must be * or ETags of the record, in quotes',
    }));
  }
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

/** The versions that a list of tags has; undefined for what is no list of tags. */
function versionsOf(list: string): readonly string[] | undefined {
  return readTags(list)
    ?.filter(({ isWeak }) => !isWeak)
    .map(({ tag }) => versionOfTag(tag))
    .filter((version) => version !== undefined);
}
