import type { Failures } from '../../errors/errors.js';
import type { RouterKeys } from './wanted-content.js';

/** A router as a request has sent it. */
export interface SentRouter {
  /** Undefined where the body is no object. */
  readonly body: RouterKeys | undefined;
  /** What is wrong with the body by itself. */
  readonly failures: Failures;
}

const KEYS = ['name', 'object_type', 'settings', 'users', 'teams'] as const;

/** Returns the keys with which nothing is wrong so far. */
export function soundKeys({ body, failures }: SentRouter): RouterKeys {
  const sound = KEYS.filter((key) => body?.[key] !== undefined && !failures.mentions(key));
  return Object.fromEntries(sound.map((key) => [key, body?.[key]]));
}
