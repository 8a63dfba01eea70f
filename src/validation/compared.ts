import { nameKey } from '../text/canonical-text.js';
import { emailKey } from '../text/email-key.js';

/** Returns a name in the form in which names are compared; what is no text as it is. */
export const comparedName = (name: unknown): unknown => (typeof name === 'string' ? nameKey(name) : name);

/** Returns an e-mail in the form in which e-mails are compared; what is no text as it is. */
export const comparedEmail = (email: unknown): unknown =>
  typeof email === 'string' ? emailKey(email) : email;
