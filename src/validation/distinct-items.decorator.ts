import { ValidateBy } from 'class-validator';

type KeyOf = (item: never) => unknown;

/**
 * Accepts a list of which no two items have the same key. It takes time in proportion to the list, which
 * class-validator's ArrayUnique does not.
 * @param keyOf the key of an item; the item itself unless given
 */
export function HasDistinctItems(keyOf: KeyOf = (item) => item): PropertyDecorator {
  const key = keyOf as (item: unknown) => unknown;
  return ValidateBy({
    name: 'hasDistinctItems',
    validator: {
      validate: (list: unknown) =>
        Array.isArray(list) &&
        new Set(list.map((item: unknown) => (item === null || item === undefined ? item : key(item))))
          .size === list.length,
      defaultMessage: (args) => `${args?.property ?? 'value'} must not name one twice`,
    },
  });
}
