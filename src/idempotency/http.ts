// What of the room only the HTTP service loads.
export { IdempotencyModule } from './idempotency.module.js';
export { IdempotentRequests, type RepeatableRequest } from './idempotent-requests.js';
export { Repeatable } from './repeatable.decorator.js';
