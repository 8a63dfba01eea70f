/** Injection token of the process's logger, a `Logger` of pino. */
export const LOGGER = Symbol('Logger');
