import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsEmail, IsString, MaxLength } from 'class-validator';
import { normalizeEmail } from '../text/email-key.js';

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
  );
}

/** Property decorator for the e-mail address of a new user: turns it into its key, refuses other texts. */
export function IsEmailAddress(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => keyOf(value)),
    IsEmail(),
    MaxLength(254),
  );
}
