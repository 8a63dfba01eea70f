import type { Statement } from '../database/index.js';
import type { Naming } from './record-key.js';

/** A statement for each way to name records. @param text of the statement for a way */
export function forEachName(
  name: string,
  text: (by: Naming['by']) => string,
): Readonly<Record<Naming['by'], Statement>> {
  const byKey = (by: Naming['by']): Statement => ({ name: `${name}_by_${by}`, text: text(by) });
  return {
    id: { name, text: text('id') },
    unique_key: byKey('unique_key'),
    external_id: byKey('external_id'),
  };
}

/** A condition on the key of a record `r` that is named by it; none where it is named by its id. */
export const andKey = (by: Naming['by'], value: string): string =>
  by === 'id' ? '' : `AND r.${by} = ${value}`;
