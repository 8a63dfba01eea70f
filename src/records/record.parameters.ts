import type { Failures } from '../errors/errors.js';
import { OBJECT_TYPE_RULES, STANDARD_FIELDS, type ObjectType } from '../fields/index.js';
import {
  described,
  expandOf,
  optionalText,
  ParameterError,
  text,
  type ParameterParser,
  type Schema,
} from '../http/index.js';
import { NO_CURSOR } from '../paging/index.js';
import { isPlainObject } from '../text/is-plain-object.js';
import { requireKeys } from '../validation/require-keys.js';
import type { ChangePlace } from './history/record-history.repository.js';
import { changeOfCursor, MOST_CURSOR } from './history/record-history.service.js';
import { UPSERT_KEY } from './record.examples.js';
import { MOST_EXPANDED } from './record-selection.js';

/**
 * `id_property` (contract section 7): the unique key by which the path names the record. Undefined where it
 * is absent. @param required for a route that names records by their keys only
 */
export const idProperty = (
  objectType: ObjectType,
  { required = false } = {},
): ParameterParser<string | undefined> => {
  const { uniqueKeys } = OBJECT_TYPE_RULES[objectType];
  return described(
    (raw, name) => {
      if (raw === undefined && !required) return undefined;
      if (raw === undefined) throw new ParameterError(`${name} is required: ${uniqueKeys.join(' or ')}`);
      if (typeof raw === 'string' && uniqueKeys.includes(raw)) return raw;
      throw new ParameterError(`${name} must be ${uniqueKeys.join(' or ')}, sent once`);
    },
    {
      schema: {
        type: 'string',
        enum: [...uniqueKeys],
        ...(required && { examples: [UPSERT_KEY.property] }),
      },
      description: 'The unique key whose value the path has in place of an id',
      ...(required && { required }),
    },
  );
};

/** `expand` (contract section 7), for a route that answers records of a type. */
export function expandParameter(objectType: ObjectType): ParameterParser<readonly string[]> {
  const standard = STANDARD_FIELDS[objectType].filter(({ type }) => type === 'reference');
  const names = standard.map(({ internalName }) => `\`${internalName}\``);
  const all = [...names, 'custom fields of type `reference`'].join(', ');
  return expandOf(
    `References to show as the records that they name, with their default fields: ${all}. Up to ` +
      `${MOST_EXPANDED}, comma-separated, repeated, or both`,
  );
}

/** The schema of `after` and `next` of a history. */
export const CHANGE_CURSOR: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: MOST_CURSOR,
  pattern: '^[A-Za-z0-9_-]+$',
};

/** `after` of a history: the `next` of another page. Undefined where it is absent. */
export const afterChange = described<ChangePlace | undefined>(
  (raw, name, query) => {
    const cursor = optionalText(raw, name, query);
    const place = cursor === undefined ? undefined : changeOfCursor(cursor);
    if (cursor !== undefined && place === undefined) throw new ParameterError(`${name} ${NO_CURSOR}`);
    return place;
  },
  {
    schema: CHANGE_CURSOR,
    description:
      'The `next` of the page before. A page ends early, with fewer changes than `limit`, where its answer ' +
      'would exceed 10 MiB.',
  },
);

/** `field` of a history. Undefined where it is absent. */
export const changedField = described(optionalText, {
  description: 'Changes of this field: one of the type, the assigned date of a user field, or `archived`',
  schema: text('Internal name', 200),
});

/**
 * Reads the body of a write (clause 2.4), an object with `fields`, which the service validates (ADR 9).
 * @param failures receives every other key, and that `fields` is missing @returns its value
 */
export function recordBody(body: unknown, failures: Failures): unknown {
  if (!isPlainObject(body)) {
    failures.add(() => ({ message: 'The body must be a JSON object with the key fields' }));
    return undefined;
  }
  requireKeys(body, ['fields'], failures);
  return Object.hasOwn(body, 'fields') ? body['fields'] : undefined;
}
