import { OBJECT_TYPES } from '../../fields/index.js';
import { closedObject, type Schema, type Schemas } from '../../http/index.js';

/** The body of a request that creates a router. */
export const ROUTER_EXAMPLE = {
  name: 'Inbound',
  object_type: 'contacts',
  settings: { overwrite: true, distribution_model: 'round robin' },
  users: [{ email: 'ada@acme.test' }],
  teams: [{ name: 'Sales' }],
};

/** The body of a request that changes its draft. */
export const ROUTER_CHANGES_EXAMPLE = { settings: { default_user: 'ada@acme.test' } };

const SHARE: Schemas = {
  percentage: { type: 'number', minimum: 0, maximum: 100, description: 'Share, under the percentage model' },
};
const list = (items: Schema): Schema => ({ type: 'array', maxItems: 1000, items });
const NAME: Schema = { type: 'string', minLength: 1, maxLength: 200 };

const VALUES: Schemas = {
  name: NAME,
  object_type: { type: 'string', enum: [...OBJECT_TYPES], description: 'Cannot change' },
  settings: {
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'The keys of `settings` of a router. Keys that are left out stay; null removes all of them',
  },
  users: list(closedObject({ email: { type: 'string', format: 'email' } }, SHARE)),
  teams: list(closedObject({ name: NAME }, SHARE)),
};

/** Returns the schemas of the bodies that write routers in the OpenAPI document. */
export function routerBodySchemas(): Schemas {
  const body = closedObject({}, VALUES);
  return {
    NewRouter: { ...body, required: ['name', 'object_type'] },
    RouterChanges: body,
    RouterPublication: closedObject(
      {},
      { note: { type: ['string', 'null'], maxLength: 1000, description: 'For those who read the versions' } },
    ),
    RouterRollback: closedObject({ version: { type: 'integer', minimum: 1 } }),
  };
}
