import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { isEmail, IsString, MaxLength, ValidateBy } from 'class-validator';
import { normalizeEmail } from '../text/email-key.js';
import { textProblem } from '../text/text-problem.js';

const keyOf = (value: unknown): unknown => (typeof value === 'string' ? normalizeEmail(value) : value);

/**
 * Property decorator for the e-mail that refers to a user: turns a string into its key (`normalizeEmail`) and
 * refuses any other value. It does not check whether the user exists.
 * @param each true for a list of e-mails
 */
export function IsEmailKey({ each = false } = {}): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      each && Array.isArray(value) ? value.map(keyOf) : keyOf(value),
    ),
    IsString({ each }),
    // A text that no query can have as a parameter is nobody's e-mail.
    ValidateBy(
      {
        name: 'isStorable',
        validator: {
          validate: (value: unknown) => textProblem(value) === undefined,
          defaultMessage: (args) =>
            `${args?.property ?? 'value'} must not contain the NUL character or unpaired surrogates`,
        },
      },
      { each },
    ),
  );
}

/** Property decorator for the e-mail address of a new user: turns it into its key, refuses other texts. */
export function IsEmailAddress(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => keyOf(value)),
    IsWellFormedEmail(),
    MaxLength(254),
  );
}

/** As class-validator's IsEmail, which throws for a text with an unpaired surrogate. */
function IsWellFormedEmail(): PropertyDecorator {
  return ValidateBy({
    name: 'isEmail',
    validator: {
      validate: (value: unknown) => textProblem(value) === undefined && isEmail(value),
      defaultMessage: (args) => `${args?.property ?? 'value'} must be an email`,
    },
  });
}
