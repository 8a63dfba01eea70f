export { FailedAttempts } from './failed-attempts.js';
export { Throttles } from './throttles.js';
export { ThrottlesModule } from './throttles.module.js';
