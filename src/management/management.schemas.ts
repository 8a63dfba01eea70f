import type { Schemas } from '../http/index.js';
import { auditSchemas } from './audit/audit.schemas.js';
import { routerBodySchemas } from './routers/router.schemas.js';
import { capacitySchemas } from './capacities/capacity.schemas.js';
import { clientSchemas } from './clients/client.schemas.js';
import { fieldSchemas } from './fields/field.schemas.js';
import { teamSchemas } from './teams/team.schemas.js';
import { userSchemas } from './users/user.schemas.js';

/** Returns the schemas of what is managed in the OpenAPI document. */
export function managementSchemas(): Schemas {
  return {
    ...auditSchemas(),
    ...capacitySchemas(),
    ...clientSchemas(),
    ...fieldSchemas(),
    ...routerBodySchemas(),
    ...teamSchemas(),
    ...userSchemas(),
  };
}
