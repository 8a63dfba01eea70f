import { applyDecorators, type Type as ClassOf } from '@nestjs/common';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator';
import { textProblem } from '../text/text-problem.js';
import { nameKey } from '../text/canonical-text.js';
import { emailKey } from '../text/email-key.js';

/** The property may be absent. Unlike with IsOptional, null is validated like any other value. */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** The property may be absent, or null, which resets it. */
export const MayBeNull = (): PropertyDecorator =>
  ValidateIf((_, value) => value !== undefined && value !== null);

/**
 * Property decorator for a rule that class-validator has not.
 * @param must what the property must be or do, such as `must be later than from`
 */
export const rule = (
  name: string,
  must: string,
  validate: (value: unknown, args?: ValidationArguments) => boolean,
): PropertyDecorator =>
  ValidateBy({
    name,
    validator: { validate, defaultMessage: (args) => `${args?.property ?? 'value'} ${must}` },
  });

/** Most that a count of the configuration may be. */
export const MOST_COUNT = 1_000_000_000;

/** Property decorator for a count: an integer from 0 to MOST_COUNT. */
export const IsCount = (): PropertyDecorator => applyDecorators(Min(0), Max(MOST_COUNT), IsInt());

/** Accepts a string of 1 to `max` characters that is not blank and that PostgreSQL can store. */
export function IsStorableText(max: number): PropertyDecorator {
  return ValidateBy({
    name: 'isStorableText',
    constraints: [max],
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' &&
        value.trim() !== '' &&
        value.length <= max &&
        textProblem(value) === undefined,
      defaultMessage: (args) => `${args?.property ?? 'value'} must be a text of 1 to ${max} characters`,
    },
  });
}

type KeyOf = (item: never) => unknown;

/**
 * Accepts a list of which no two items have the same key. It takes time in proportion to the list, which
 * class-validator's ArrayUnique does not.
 * @param keyOf the key of an item; the item itself unless given
 */
export function HasDistinctItems(keyOf: KeyOf = (item) => item): PropertyDecorator {
  const key = keyOf as (item: unknown) => unknown;
  const isDistinct = (list: readonly unknown[]): boolean =>
    new Set(list.map((item) => (item === null || item === undefined ? item : key(item)))).size ===
    list.length;
  return rule(
    'hasDistinctItems',
    'must not name one twice',
    (list) => Array.isArray(list) && isDistinct(list),
  );
}

/**
 * Property decorator for a list of objects of a DTO class.
 * @param options `most`: the most objects; any number unless given. `keyOf`: what no two of them share
 */
export function IsListOf<Dto extends object>(
  dto: ClassOf<Dto>,
  { most, keyOf }: { readonly most?: number; readonly keyOf?: (item: Dto) => unknown } = {},
): PropertyDecorator {
  return applyDecorators(
    Type(() => dto),
    ValidateNested({ each: true }),
    ...(keyOf === undefined ? [] : [HasDistinctItems(keyOf)]),
    ...(most === undefined ? [] : [ArrayMaxSize(most)]),
    IsArray(),
  );
}

/** Returns a name in the form in which names are compared; what is no text as it is. */
export const comparedName = (name: unknown): unknown => (typeof name === 'string' ? nameKey(name) : name);

/** Returns an e-mail in the form in which e-mails are compared; what is no text as it is. */
export const comparedEmail = (email: unknown): unknown =>
  typeof email === 'string' ? emailKey(email) : email;
