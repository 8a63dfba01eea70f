/** Injection token of the process's Settings. */
export const SETTINGS = Symbol('Settings');
