import type { ConfigurationChange } from './configuration-change.js';
import type { InUse } from './in-use.js';
import type { ChangedObject } from './planned-change.js';

/** An object that is to be archived, and everything that uses it. */
interface Leaving extends InUse {
  readonly object: ChangedObject;
}

/**
 * Archives objects that nothing uses, and notes it.
 * @param archive writes it, by the ids of those objects
 * @returns the others, with what uses them
 */
export async function archiveUnused(
  change: ConfigurationChange,
  leaving: readonly Leaving[],
  archive: (ids: readonly string[]) => Promise<void>,
): Promise<InUse[]> {
  const unused = leaving.filter(({ uses }) => uses.length === 0).map(({ object }) => object);
  for (const object of unused) change.add('archive', object);
  await archive(unused.map(({ id }) => id));
  return leaving.filter(({ uses }) => uses.length > 0);
}
