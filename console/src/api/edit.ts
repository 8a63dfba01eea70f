import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import type { Tagged } from './client';
import { isOutdated } from './errors';
import { isSame, merged } from './merge';
import { refresh } from './queries';

interface EditOptions<T extends object, C extends object> {
  /** Reads the thing as it is now. */
  read: () => Promise<Tagged<T>>;
  /** Sends the changes, with the tag as If-Match. */
  save: (changes: C, etag: string) => Promise<unknown>;
  /** What is read again after it. */
  stale: readonly QueryKey[];
}

/** What two people have made of the same thing: the changes that were not saved, and the present version. */
export interface Collision<T, C> {
  /** What both began with. */
  base: T;
  mine: C;
  theirs: Tagged<T>;
}

/**
 * Saves changes of a thing that others may change meanwhile. Where somebody has changed other parts of it,
 * the changes are saved on top of theirs; where the same parts, `collision` has both versions until `resolve`
 * says which.
 */
export function useEdit<T extends object, C extends object>({ read, save, stale }: EditOptions<T, C>) {
  const client = useQueryClient();
  const [collision, setCollision] = useState<Collision<T, C> | null>(null);
  const mutation = useMutation({
    mutationFn: async ({ changes, base }: { changes: C; base: Tagged<T> }): Promise<boolean> => {
      try {
        await save(changes, base.etag);
        return true;
      } catch (error) {
        if (!isOutdated(error)) throw error;
      }
      const theirs = await read();
      const { both, collides } = mergedChanges(changes, base.value, theirs.value);
      if (collides) {
        setCollision({ base: base.value, mine: both, theirs });
        return false;
      }
      await save(both, theirs.etag);
      return true;
    },
    onSettled: () => refresh(client, stale),
  });
  return {
    /** Resolves to false where the answer is a collision. */
    save: (changes: C, base: Tagged<T>) => mutation.mutateAsync({ changes, base }),
    saving: mutation.isPending,
    error: mutation.error,
    reset: mutation.reset,
    collision,
    /** Saves what is to stay of mine, if anything, on top of theirs. @returns whether it is done */
    resolve: async (chosen: C): Promise<boolean> => {
      if (collision === null) return false;
      setCollision(null);
      if (Object.keys(chosen).length === 0) return true;
      // What fails is in `error`.
      return mutation.mutateAsync({ changes: chosen, base: collision.theirs }).catch(() => false);
    },
    /** Goes back to the edit, which is not saved. */
    goBack: () => setCollision(null),
  };
}

/** The keys of the second thing in which it differs from the first, with their values; undefined for none. */
export function changesBetween<T extends object>(before: T, after: T): Partial<T> | undefined {
  const keys = (Object.keys(after) as (keyof T)[]).filter((key) => !isSame(before[key], after[key]));
  return keys.length === 0
    ? undefined
    : (Object.fromEntries(keys.map((key) => [key, after[key]])) as Partial<T>);
}

/** Changes with those of another person in them; those that collide stay as they are. */
function mergedChanges<C extends object>(changes: C, base: object, theirs: object) {
  const of = (thing: object, key: string) => (thing as Record<string, unknown>)[key];
  const entries = Object.entries(changes).map(([key, mine]: [string, unknown]) => {
    const one = merged({ base: of(base, key), mine, theirs: of(theirs, key) });
    return { key, value: one === undefined ? mine : one.value, collides: one === undefined };
  });
  return {
    both: Object.fromEntries(entries.map(({ key, value }) => [key, value])) as C,
    collides: entries.some(({ collides }) => collides),
  };
}
