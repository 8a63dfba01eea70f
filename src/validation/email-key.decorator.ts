import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { isEmail, MaxLength, ValidateBy, type ValidationOptions } from 'class-validator';
import { normalizeEmail } from '../text/email-key.js';
import { textProblem } from '../text/text-problem.js';

const keyOf = (value: unknown): unknown => (typeof value === 'string' ? normalizeEmail(value) : value);

const isStorable = (value: unknown): value is string =>
  typeof value === 'string' && textProblem(value) === undefined;

/** Accepts a storable text. @param passes what else is demanded of it */
const IsKey = (
  { must, passes }: { readonly must: string; readonly passes: (text: string) => boolean },
  options?: ValidationOptions,
): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isEmailKey',
      validator: {
        // `isEmail` throws for an unpaired surrogate.
        validate: (value: unknown) => isStorable(value) && passes(value),
        defaultMessage: (args) => {
          const problem = [args?.value as unknown].flat().map(textProblem).find(Boolean);
          return `${args?.property ?? 'value'} ${problem ?? must}`;
        },
      },
    },
    options,
  );

/**
 * Property decorator for the e-mail that refers to a user: turns a string into its key (`normalizeEmail`) and
 * refuses any other value, and a text that PostgreSQL cannot store. It does not check that the user exists.
 * @param each true for a list of e-mails
 */
export function IsEmailKey({ each = false } = {}): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      each && Array.isArray(value) ? value.map(keyOf) : keyOf(value),
    ),
    IsKey({ must: each ? 'must be a list of strings' : 'must be a string', passes: () => true }, { each }),
  );
}

/** Property decorator for the e-mail address of a new user: turns it into its key, refuses other texts. */
export function IsEmailAddress(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => keyOf(value)),
    IsKey({ must: 'must be an email', passes: (text) => isEmail(text) }),
    MaxLength(254),
  );
}
