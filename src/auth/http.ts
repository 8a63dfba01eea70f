// What of the room only the HTTP service loads.
export { AccountGuard } from './account.guard.js';
export { AUTH_OPTIONS, type AuthOptions } from './auth.options.js';
export { AuthModule } from './auth.module.js';
export { authSchemas } from './auth.schemas.js';
export { authSecurity } from './auth.security.js';
export { AuditedClient, type Caller } from './caller.decorator.js';
export { Client } from './client.decorator.js';
export { tokenKeys } from './keys/token-keys.js';
export { Public } from './public.decorator.js';
export { RequireScope } from './require-scope.decorator.js';
export { ShareGuard, TakesShareItself } from './share.guard.js';
export { insufficientScope } from './token-errors.js';
