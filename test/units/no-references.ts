import type { ReferenceResolver } from '../../src/records/references/reference-resolver.js';

/** Finds no record, for tests without references. */
export const NO_REFERENCES = {
  resolve: () => Promise.resolve(() => undefined),
} as unknown as ReferenceResolver;
