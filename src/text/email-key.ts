/**
 * Returns the spelling in which the e-mail address of a user is stored and compared: trimmed and in lower
 * case. Idempotent. Accepts any text; a UUID keeps its meaning.
 */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}
