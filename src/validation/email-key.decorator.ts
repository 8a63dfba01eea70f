import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsEmail, IsString, MaxLength } from 'class-validator';
import { normalizeEmail } from '../text/email-key.js';

const keyOf = (value: unknown): unknown => (typeof value === 'string' ? normalizeEmail(value) : value);

/**
 * The e-mail by which a user of the account is named. Turns the value into its key (`normalizeEmail`) and
 * refuses what is no string. Whether there is such a user is checked later.
 * @param each the value is a list of e-mails
 */
export function IsEmailKey({ each = false } = {}): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      each && Array.isArray(value) ? value.map(keyOf) : keyOf(value),
    ),
    IsString({ each }),
  );
}

/** The e-mail address of a new user. Turns the value into its key and refuses what is no address. */
export function IsEmailAddress(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => keyOf(value)),
    IsEmail(),
    MaxLength(254),
  );
}
