import { CreateSchema1764200000000 } from './1764200000000-create-schema.js';

/**
 * Every migration in the order in which it is applied. The list is explicit, because globs do not work after
 * compilation.
 */
export const MIGRATIONS = [CreateSchema1764200000000];
