import type { Schemas } from '../http/index.js';
import { auditSchemas } from './audit/audit.schemas.js';
import { CAPACITY_DOCS } from './capacities/capacities.controller.js';
import { CLIENT_DOCS } from './clients/clients.controller.js';
import { FIELD_DOCS } from './fields/fields.controller.js';
import { kindSchemas } from './managed/managed-docs.js';
import { routerBodySchemas } from './routers/router.schemas.js';
import { TEAM_DOCS } from './teams/teams.controller.js';
import { USER_DOCS } from './users/users.controller.js';

/** Returns the schemas of what is managed in the OpenAPI document. */
export function managementSchemas(): Schemas {
  const kinds = [CAPACITY_DOCS, CLIENT_DOCS, FIELD_DOCS, TEAM_DOCS, USER_DOCS].map(kindSchemas);
  return Object.assign({}, auditSchemas(), routerBodySchemas(), ...kinds) as Schemas;
}
