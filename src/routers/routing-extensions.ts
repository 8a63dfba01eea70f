/** Injection token of the trigger operators: the built-in ones, and those of extensions. */
export const TRIGGER_OPERATORS = Symbol('trigger operator');

/** Injection token of the distribution models. */
export const DISTRIBUTION_MODELS = Symbol('distribution model');

/** Injection token of the eligibility checks, in the order in which they are reported. */
export const ELIGIBILITY_CHECKS = Symbol('eligibility check');
