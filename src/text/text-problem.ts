const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Says why PostgreSQL cannot store a value as text: the end of a sentence that starts with the name of the
 * field. Undefined when it can be stored, and for a value that is not a string.
 */
export function textProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.includes('\0')) return 'must not contain the NUL character (U+0000)';
  if (LONE_SURROGATE.test(value))
    return 'must not contain unpaired surrogates (it is not valid Unicode text)';
  return undefined;
}

/** Whether a text has more than `maximum` characters (Unicode code points, as PostgreSQL counts them). */
export function isLongerThan(value: string, maximum: number): boolean {
  if (value.length <= maximum) return false;
  return value.length > 2 * maximum || Array.from(value).length > maximum;
}
