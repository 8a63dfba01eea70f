import type { FieldDefinition, FieldType, ParseResult } from 'fairlead';
import { parsePhoneNumberFromString } from 'libphonenumber-js';

/**
 * A phone number, stored as E.164 has it: `+442079460958`. However it is written, one number is one value,
 * so conditions such as `eq` and `in` find it.
 */
export class PhoneFieldType implements FieldType {
  readonly id = 'phone';

  parse(value: unknown, { internalName }: FieldDefinition): ParseResult {
    const phone =
      typeof value === 'string' ? parsePhoneNumberFromString(value.trim(), { extract: false }) : undefined;
    // A number that is possible stays so; whether one is in use changes with the numbering plans.
    if (phone?.isPossible() !== true || phone.ext !== undefined) {
      const message = `${internalName} must be a phone number with its country code, such as +44 20 7946 0958`;
      return { ok: false, message };
    }
    return { ok: true, value: phone.number };
  }
}
