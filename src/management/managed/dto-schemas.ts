import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import {
  closedObject,
  EMAIL,
  integer,
  listOf,
  NAME,
  text,
  type Schema,
  type Schemas,
} from '../../http/index.js';

/** What is to be known of keys, by their paths: `limits`, `users.max`. */
export type About = Readonly<Record<string, string>>;

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** The schemas of texts without a description. */
const plain = (maxLength?: number): Schema => {
  const { description: _, ...schema } = text('', maxLength);
  return schema;
};

/** What a rule of class-validator says in a schema. */
const OF_RULE: Readonly<Record<string, (constraint: never) => Schema>> = {
  arrayMaxSize: (maxItems: number) => ({ maxItems }),
  arrayNotEmpty: () => ({ minItems: 1 }),
  arrayMinSize: (minItems: number) => ({ minItems }),
  isBoolean: () => ({ type: 'boolean' }),
  isDate: () => ({ type: 'string', format: 'date' }),
  isEmailKey: () => EMAIL,
  isEnd: () => plain(100),
  isIn: (words: readonly string[]) => ({ type: 'string', enum: [...words] }),
  isInt: () => ({ type: 'integer' }),
  isKnownTimeZone: () => plain(100),
  isNumber: () => ({ type: 'number', format: 'double' }),
  isObject: () => ({ type: 'object', additionalProperties: true }),
  isScopeList: () => ({ ...plain(), pattern: '^[a-z: ]*$' }),
  isStorableText: (most: number) => ({ ...NAME, maxLength: most }),
  isString: () => plain(),
  matches: ({ source }: RegExp) => ({ type: 'string', maxLength: 100, pattern: source }),
  max: (maximum: number) => ({ maximum }),
  maxLength: (maxLength: number) => ({ maxLength }),
  min: (minimum: number) => ({ minimum }),
};

/** Rules that no schema says. */
const UNSAID = ['isArray', 'hasDistinctItems', 'isAfterFrom'];

/**
 * Returns the schemas of the properties of a DTO class, by the rules that its decorators state.
 * @param about the descriptions
 * @returns `required`: the keys that may not be absent
 * @throws Error for a rule that is not known here, so that none is missing in a schema silently
 */
export function dtoSchemas(
  dto: Type<object>,
  about: About = {},
  prefix = '',
): { readonly values: Schemas; readonly required: string[] } {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const keys = [...new Set(rules.map(({ propertyName }) => propertyName))];
  const required: string[] = [];
  const values = keys.map((key) => {
    const own = rules.filter(({ propertyName }) => propertyName === key);
    const schema = schemaOf(own, { dto, about, path: `${prefix}${key}` });
    if (!own.some(isCondition)) required.push(key);
    const mayBeNull = own.some((rule) => isCondition(rule) && !checks(rule, null));
    const description = about[`${prefix}${key}`];
    return [
      key,
      {
        ...schema,
        ...(mayBeNull && { type: [schema.type as string, 'null'] }),
        ...(description !== undefined && { description }),
      },
    ] as const;
  });
  return { values: Object.fromEntries(values), required };
}

function schemaOf(
  rules: readonly Rule[],
  { dto, about, path }: { readonly dto: Type<object>; readonly about: About; readonly path: string },
): Schema {
  const isList = rules.some(({ name }) => name === 'isArray');
  const merged = (some: readonly Rule[]): Schema => {
    if (some.some(isNested)) return nestedSchema(dto, about, path);
    const parts = some.map(({ name = '', constraints }) => {
      if (isUnsaid(name)) return {};
      const schemaOfRule = OF_RULE[name];
      if (schemaOfRule === undefined)
        throw new Error(`No schema is known of the rule ${name} of ${dto.name}.${path}`);
      // Rules without constraints have none, which their type does not say.
      const [constraint] = (constraints as never[] | undefined) ?? [];
      return schemaOfRule(constraint as never);
    });
    const schema = Object.assign({}, ...parts) as Schema;
    return schema.type === 'integer' ? integer(schema.minimum ?? 0, schema.maximum) : schema;
  };
  if (!isList) return merged(rules);
  const ofItems = rules.filter(({ each }) => each);
  return { ...listOf(merged(ofItems)), ...merged(rules.filter((rule) => !ofItems.includes(rule))) };
}

function nestedSchema(dto: Type<object>, about: About, path: string): Schema {
  const key = path.replace(/^.*\./, '');
  const made = plainToInstance(dto, { [key]: {} }) as Readonly<Record<string, object>>;
  const { values, required } = dtoSchemas(made[key]?.constructor as Type<object>, about, `${path}.`);
  return { ...closedObject(values), required };
}

const isUnsaid = (name: string): boolean => name === '' || UNSAID.includes(name);
const isNested = ({ type }: Rule): boolean => type === 'nestedValidation';
const isCondition = ({ type }: Rule): boolean => type === 'conditionalValidation';

/** Whether the other rules hold for a value, too. */
function checks({ constraints }: Rule, value: unknown): boolean {
  const [condition] = constraints as [(object: object, value: unknown) => boolean];
  return condition({}, value);
}
