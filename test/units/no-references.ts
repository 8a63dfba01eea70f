import { RecordValidator } from '../../src/records/index.js';
import type { ReferenceResolver } from '../../src/records/references/reference-resolver.js';
import { parseSettings } from '../../src/settings/settings.js';
import { TYPES } from './decisions.js';

/** Finds no record, for tests without references. */
export const NO_REFERENCES = {
  resolve: () => Promise.resolve(() => undefined),
} as unknown as ReferenceResolver;

/** Validates by the built-in types. */
export const VALIDATOR = new RecordValidator(TYPES, parseSettings({}));
