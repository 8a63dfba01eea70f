import type { SecuritySchemes } from '../http/index.js';
import type { Scope } from './scope.js';
import { TOKEN_ENDPOINT } from './token-endpoint.js';

/** What a token may do with a scope. */
const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  'records:read': 'Read records and fields',
  'records:write': 'Create, change and archive records',
  'routers:read': 'Read routers and the assignment log',
  'directory:read': 'Read users, teams, capacities and versions of routers',
  dispatch: 'Run routers, and ask what they would decide',
  availability: 'Set whether users are available',
  manage: 'Manage users, teams, fields, capacities, routers and clients, and read the audit',
};

/** Returns the ways to authenticate, for the OpenAPI document. @param prefix of all routes */
export function authSecurity(prefix: string): SecuritySchemes {
  const token = 'An access token is a JWT (RFC 9068), issued and verified as RFC8725 says';
  return {
    oauth2: {
      type: 'oauth2',
      description: `With the id and the secret of a client. ${token}.`,
      flows: {
        clientCredentials: {
          tokenUrl: `${prefix}${TOKEN_ENDPOINT.path}`,
          scopes: { ...SCOPE_MEANINGS },
        },
      },
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: `With a token that you have already. ${token}.`,
    },
    basic: {
      type: 'http',
      scheme: 'basic',
      description: 'At the token endpoint alone: the id and the secret of a client (RFC 6749 section 2.3.1)',
    },
  };
}
