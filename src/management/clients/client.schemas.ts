import { SCOPES } from '../../auth/index.js';
import { closedObject, ID, pageOf, text, TIME, type Schemas } from '../../http/index.js';
import { managedSchemas } from '../change/documented.js';
import { MOST_OVERLAP } from './rotation.dto.js';

/** The body of a request that creates a client. */
export const CLIENT_EXAMPLE = { name: 'CRM sync', scope: 'records:read records:write' };

/** The body of a request that replaces a secret. */
export const ROTATION_EXAMPLE = { overlap_seconds: 3600 };

const VALUES: Schemas = {
  name: { type: 'string', minLength: 1, maxLength: 200 },
  scope: text(`Space-separated. Known: ${SCOPES.join(' ')}; default: all but availability and manage`),
};

const CREDENTIALS: Schemas = {
  client_id: ID,
  client_secret: text('Shown once: the service keeps its hash'),
};

/** Returns the schemas of clients in the OpenAPI document. */
export function clientSchemas(): Schemas {
  const view = {
    id: { ...ID, description: 'Its client_id' },
    ...VALUES,
    created_at: TIME,
    updated_at: TIME,
    archived: {
      oneOf: [{ type: 'boolean' as const, enum: [false] }, TIME],
      description: 'When it was revoked',
    },
  };
  const bodies = { view: closedObject(view), body: closedObject({}, VALUES), required: ['name'] };
  return {
    ...managedSchemas('Client', bodies, pageOf('Client')),
    CreatedClient: closedObject({ ...view, ...CREDENTIALS }),
    ClientCredentials: closedObject(CREDENTIALS),
    ClientRotation: closedObject(
      {},
      {
        overlap_seconds: {
          type: 'integer',
          minimum: 0,
          maximum: MOST_OVERLAP,
          default: 0,
          description: 'For which the secret before works on',
        },
      },
    ),
  };
}
