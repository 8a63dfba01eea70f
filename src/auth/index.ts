export { ApiClientsModule } from './api-clients.module.js';
export { clientName } from './api-clients.repository.js';
export { ApiClientsRepository } from './api-clients.repository.js';
export { ApiClientEntity } from './api-client.entity.js';
export { hashClientSecret, MOST_OVERLAP, newClientSecret } from './client-secret.js';
export type { ClientContext } from './decorators.js';
export { DEFAULT_SCOPES, parseScopes, SCOPES, type Scope } from './scope.js';
