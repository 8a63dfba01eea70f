export { ApiClientsModule } from './api-clients.module.js';
export { ApiClientsService, type ClientCredentials } from './api-clients.service.js';
export { AUTH_OPTIONS, type AuthOptions } from './auth.options.js';
export { AuthModule } from './auth.module.js';
export type { ClientContext } from './client-context.js';
export { Client } from './client.decorator.js';
export { Public } from './public.decorator.js';
export { RequireScope } from './require-scope.decorator.js';
export { parseScopes, SCOPES, type Scope } from './scope.js';
