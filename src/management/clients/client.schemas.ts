import { SCOPES } from '../../auth/index.js';
import { ARCHIVED, closedObject, ID, integer, NAME, type Schemas, text } from '../../http/index.js';
import { managedSchemas, viewed, viewExample } from '../change/managed-schemas.js';
import { MOST_OVERLAP } from './most-overlap.js';

/** The body of a request that creates a client. */
export const CLIENT_EXAMPLE = { name: 'CRM sync', scope: 'records:read records:write' };

/** The body of a request that replaces a secret. */
export const ROTATION_EXAMPLE = { overlap_seconds: 3600 };

const VALUES: Schemas = {
  name: NAME,
  scope: {
    type: 'string',
    maxLength: 1_000,
    pattern: '^[a-z: ]*$',
    description: `Space-separated. Known: ${SCOPES.join(' ')}; default: all but availability and manage`,
  },
};

const CREDENTIALS: Schemas = {
  client_id: ID,
  client_secret: text('Shown once: the service keeps its hash'),
};

const CREDENTIALS_EXAMPLE = {
  client_id: '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f',
  client_secret: 'mQ0v3Zr1YwXk8uT5sNf2LdGhJcPbEaRiOoKlMnBvCxZ',
};

/** Returns the schemas of clients in the OpenAPI document. */
export function clientSchemas(): Schemas {
  const shown: Schemas = {
    id: { ...ID, description: 'Its client_id' },
    archived: { ...ARCHIVED, description: 'When it was revoked' },
  };
  return {
    ...managedSchemas('Client', { values: VALUES, required: ['name'], shown, example: CLIENT_EXAMPLE }),
    CreatedClient: {
      ...closedObject(viewed({ ...VALUES, ...shown, ...CREDENTIALS })),
      examples: [{ ...viewExample(CLIENT_EXAMPLE), ...CREDENTIALS_EXAMPLE }],
    },
    ClientCredentials: { ...closedObject(CREDENTIALS), examples: [CREDENTIALS_EXAMPLE] },
    ClientRotation: closedObject(
      {},
      {
        overlap_seconds: {
          ...integer(0, MOST_OVERLAP),
          description: 'For which the secret before works on; 0 unless given',
        },
      },
    ),
  };
}
