import type { Schemas } from '../http/index.js';
import { auditSchemas } from './audit/audit.controller.js';
import { credentialSchemas } from './kinds/client-rotation.controller.js';
import { kindSchemas } from './managed/managed-docs.js';
import { KINDS } from './management.module.js';
import { routerBodySchemas } from './routers/router.schemas.js';

/** Returns the schemas of what is managed in the OpenAPI document. */
export function managementSchemas(): Schemas {
  const kinds = KINDS.map(({ docs }) => kindSchemas(docs));
  return Object.assign({}, auditSchemas(), routerBodySchemas(), credentialSchemas(), ...kinds) as Schemas;
}
