import type { Schemas } from '../../http/index.js';
import { managedSchemas } from '../change/managed-schemas.js';

/** The body of a request that creates a team. */
export const TEAM_EXAMPLE = { name: 'Sales', members: ['ada@acme.test', 'grace@acme.test'] };

const VALUES: Schemas = {
  name: { type: 'string', minLength: 1, maxLength: 200, description: 'Unique among active teams' },
  members: {
    type: 'array',
    items: { type: 'string', format: 'email' },
    description: 'Users in the order of their turns',
  },
};

/** Returns the schemas of teams in the OpenAPI document. */
export function teamSchemas(): Schemas {
  return managedSchemas('Team', { values: VALUES, required: ['name'], example: TEAM_EXAMPLE });
}
