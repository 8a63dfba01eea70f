import type { Schemas } from '../http/index.js';
import { auditSchemas } from './audit/audit.schemas.js';
import { routerBodySchemas } from './routers/router.schemas.js';
import { userSchemas } from './users/user.schemas.js';

/** Returns the schemas of what is managed in the OpenAPI document. */
export function managementSchemas(): Schemas {
  return { ...auditSchemas(), ...routerBodySchemas(), ...userSchemas() };
}
