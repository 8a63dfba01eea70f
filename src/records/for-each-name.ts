import type { Statement } from '../database/index.js';
import type { Naming } from './record-key.js';

/** A statement for each way to name records. @param text of the statement for a way */
export function forEachName(
  name: string,
  text: (by: Naming['by']) => string,
  options: Pick<Statement, 'sharesCommit'> = {},
): Readonly<Record<Naming['by'], Statement>> {
  const byKey = (by: Naming['by']): Statement => ({ name: `${name}_by_${by}`, text: text(by), ...options });
  return {
    id: { name, text: text('id'), ...options },
    unique_key: byKey('unique_key'),
    external_id: byKey('external_id'),
  };
}

/** The type of what names a record. */
export const typeOfName = (by: Naming['by']): string => (by === 'id' ? 'uuid' : 'text');

/** A part of a statement for records that are named by a key; none where they are named by their ids. */
export const ifByKey = (by: Naming['by'], part: string): string => (by === 'id' ? '' : part);

/** A condition on the key of a record `r` that is named by it. */
export const andKey = (by: Naming['by'], value: string): string => ifByKey(by, `AND r.${by} = ${value}`);
