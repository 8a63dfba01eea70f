/**
 * The one spelling under which the e-mail address of a user is stored and compared: without blanks around it,
 * in lower case. Idempotent. Other texts, such as a UUID, are spelled by the same rule.
 */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}
