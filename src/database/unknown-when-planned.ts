/**
 * Returns an expression for a parameter whose value PostgreSQL does not know when it plans a statement for
 * one use. Where it knows that the value is that of few rows, such as a small account or a short array, that
 * plan costs less than the one for all values, and the statement is planned at each use, which takes longer
 * than to run it (ADR 7).
 */
export const unknownWhenPlanned = (parameter: string): string => `(SELECT ${parameter})`;
