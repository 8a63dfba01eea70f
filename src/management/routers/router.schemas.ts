import { OBJECT_TYPES } from '../../fields/index.js';
import {
  closedObject,
  EMAIL,
  integer,
  listOf,
  NAME,
  orNull,
  reference,
  text,
  wordOf,
  type Schemas,
} from '../../http/index.js';

/** The body of a request that creates a router. */
export const ROUTER_EXAMPLE = {
  name: 'Nordic',
  object_type: 'contacts',
  settings: { overwrite: true, distribution_model: 'round robin' },
  users: [{ email: 'ada@demo.test' }],
  teams: [{ name: 'Sales' }],
};

/** The body of a request that changes its draft. */
export const ROUTER_CHANGES_EXAMPLE = { settings: { default_user: 'ada@demo.test' } };

const SHARE: Schemas = {
  percentage: {
    type: 'number',
    format: 'double',
    minimum: 0,
    maximum: 100,
    description: 'Share, under the percentage model',
  },
};
/** The most users, and the most teams, of a router. */
const POOL = 1_000;

const VALUES: Schemas = {
  name: NAME,
  object_type: wordOf(OBJECT_TYPES, 'Cannot change'),
  settings: {
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'The keys of `settings` of a router. Keys that are left out stay; null removes all of them',
  },
  users: listOf(closedObject({ email: EMAIL }, SHARE), POOL),
  teams: listOf(closedObject({ name: NAME }, SHARE), POOL),
};

/** Returns the schemas of the bodies that write routers in the OpenAPI document. */
export function routerBodySchemas(): Schemas {
  const body = closedObject({}, VALUES);
  return {
    NewRouter: { ...body, required: ['name', 'object_type'] },
    RouterChanges: body,
    RouterPublication: closedObject({}, { note: orNull(text('For those who read the versions', 1_000)) }),
    RouterRollback: closedObject({ version: integer(1) }),
    RouterDiff: {
      ...closedObject({ changes: listOf(reference('ValueChange')) }),
      examples: [{ changes: [{ path: 'settings.overwrite', from: false, to: true }] }],
    },
  };
}
