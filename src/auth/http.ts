// What of the room only the HTTP service loads.
export { AccountGuard } from './account.guard.js';
export { AuthModule } from './auth.module.js';
export { authSchemas, authSecurity } from './auth.schemas.js';
export { Client, Public, RequireScope, type Caller } from './decorators.js';
export { tokenKeys } from './keys/token-keys.js';
export { ShareGuard, TakesShareItself } from './share.guard.js';
export { insufficientScope } from './token-errors.js';
