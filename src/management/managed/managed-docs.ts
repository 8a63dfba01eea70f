import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import type { Scope } from '../../auth/index.js';
import {
  ARCHIVED,
  CHANGED_VALUES,
  closedObject,
  EMAIL,
  errorSchema,
  ID,
  integer,
  listOf,
  NAME,
  pageOf,
  text,
  TIME,
  type Schema,
  type Schemas,
} from '../../http/openapi/schemas.js';
import { described, optionalText, type ParameterParser } from '../../http/query/parameters.js';
import { capitalized } from '../../text/capitalized.js';
import type { ChangedObject } from '../change/configuration-change.js';

/** A query parameter that is a text, sent at most once. */
export const textFilter = (description: string) =>
  described(optionalText, { description, schema: { ...NAME } });

/** What is to be known of keys, by their paths: `limits`, `users.max`. */
export type About = Readonly<Record<string, string>>;

/** What the routes of one kind are made of, and what the OpenAPI document says of them. */
export interface KindDocs {
  readonly one: ChangedObject['kind'];
  /** What several are called, which is also their path. */
  readonly many: string;
  /** The body of a POST; a PATCH has some of its keys. Its rules are the schemas. */
  readonly dto: Type<object>;
  /** The keys without which none is created; those that the DTO requires unless given. */
  readonly required?: readonly string[];
  /** The scopes of which each is enough to read; `manage` unless given. */
  readonly read?: readonly [Scope, ...Scope[]];
  /** A scope with which a PATCH may have one key alone. */
  readonly limited?: { readonly scope: Scope; readonly key: string };
  /** The columns of which a word must begin with `q` of a list; lists without them take none. */
  readonly searched?: readonly string[];
  /** The query parameters of a list beside those of every list. */
  readonly filters?: Readonly<Record<string, ParameterParser<unknown>>>;
  /** What `expand` of a request adds to views, by its word; there is none unless given. */
  readonly expand?: { readonly word: string; readonly description: string; readonly schema: Schemas };
  /** What `orphan` of a DELETE does; it takes none unless given. */
  readonly orphan?: string;
  /** What is to be known of a route beside its summary. */
  readonly notes: Readonly<Record<'create' | 'update' | 'archive', string>>;
  /** What is to be known of keys. */
  readonly about?: About;
  /** The body of a request that creates one. */
  readonly example: object;
  /** The body of a request that changes one; `example` unless given. */
  readonly changes?: object;
  /** What an answer shows of the example, without what every view has; `example` unless given. */
  readonly shownExample?: object;
  /** What views have otherwise than bodies, or beside it. */
  readonly shown?: Schemas;
  /** The keys of bodies that only some views have. */
  readonly sometimes?: readonly string[];
  /** Name of the schema of the answer that creates one, where it has more. */
  readonly created?: string;
  /** The 409 for what is in use, where it has more than every error: its keys, and an example. */
  readonly inUse?: { readonly description: string; readonly keys: Schemas; readonly example: object };
}

/** Returns the schemas of one kind: of itself, of its list, and of the bodies that write it. */
export function kindSchemas(docs: KindDocs): Schemas {
  const { one, dto, about, inUse } = docs;
  const name = capitalized(one);
  const body = dtoSchemas(dto, about);
  const { required = body.required } = docs;
  const properties = closedObject({}, body.values);
  return {
    [name]: viewSchema(docs),
    [`${name}List`]: pageOf(name, viewExample(docs)),
    [`New${name}`]: { ...properties, required: [...required] },
    [`${name}Changes`]: properties,
    ...(inUse && { [`${name}InUse`]: errorSchema(inUse.keys) }),
  };
}

/** Returns the schema of an answer of one kind. @param more keys that it always has, and some that it may */
export function viewSchema(docs: KindDocs, more: Schemas = {}, optional: Schemas = {}): Schema {
  const { sometimes = [], shown, expand } = docs;
  const { archived = ARCHIVED, ...own } = { ...dtoSchemas(docs.dto, docs.about).values, ...shown };
  const isSometimes = ([key]: readonly [string, unknown]): boolean => sometimes.includes(key);
  const values = Object.entries(own);
  const always = Object.fromEntries(values.filter((entry) => !isSometimes(entry)));
  const view = { id: ID, ...always, ...more, created_at: TIME, updated_at: TIME, archived };
  const rest = {
    ...Object.fromEntries(values.filter(isSometimes)),
    ...expand?.schema,
    ...optional,
    changes: CHANGED_VALUES,
  };
  return { ...closedObject(view, rest), examples: [viewExample(docs)] };
}

/** Returns an example of the view of a kind. */
export function viewExample({ example, shownExample = example }: KindDocs): object {
  return {
    id: '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f',
    ...shownExample,
    created_at: '2026-06-10T21:05:06.789Z',
    updated_at: '2026-06-10T21:05:06.789Z',
    archived: false,
  };
}

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
  isTimeZone: () => plain(100),
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
