import { EMAIL, listOf, NAME, type Schemas } from '../../http/index.js';
import { managedSchemas } from '../change/managed-schemas.js';

/** The body of a request that creates a team. */
export const TEAM_EXAMPLE = { name: 'Support', members: ['ada@demo.test', 'grace@demo.test'] };

const VALUES: Schemas = {
  name: { ...NAME, description: 'Unique among active teams' },
  members: {
    ...listOf(EMAIL),
    description: 'Users in the order of their turns',
  },
};

/** Returns the schemas of teams in the OpenAPI document. */
export function teamSchemas(): Schemas {
  return managedSchemas('Team', { values: VALUES, required: ['name'], example: TEAM_EXAMPLE });
}
