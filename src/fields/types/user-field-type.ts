import type { FieldDefinition } from '../field-definition.js';
import type { FieldEnvironment, FieldType, ParseResult } from './field-type.js';
import { textProblem } from '../../text/text-problem.js';
import { normalizeEmail } from '../../text/email-key.js';

/** A user of the account (clause 2.6): UUID or e-mail in any case. Stored as the user's e-mail. */
export class UserFieldType implements FieldType {
  readonly id = 'user';

  parse(value: unknown, field: FieldDefinition, environment: FieldEnvironment): ParseResult {
    const name = field.internalName;
    if (typeof value !== 'string')
      return { ok: false, message: `${name} must be the id or e-mail of a user` };
    const problem = textProblem(value);
    if (problem !== undefined) return { ok: false, message: `${name} ${problem}` };
    const user = environment.findUser(normalizeEmail(value));
    if (user === undefined)
      return { ok: false, message: `${name} is not a user of the account (send an id or e-mail)` };
    return { ok: true, value: user.email };
  }
}
