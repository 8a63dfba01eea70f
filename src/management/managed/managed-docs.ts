import type { Type } from '@nestjs/common';
import type { Scope } from '../../auth/index.js';
import {
  ARCHIVED,
  CHANGED_VALUES,
  closedObject,
  errorSchema,
  ID,
  integer,
  listOf,
  NAME,
  orNull,
  pageOf,
  TIME,
  wordOf,
  type Schema,
  type Schemas,
} from '../../http/index.js';
import { capitalized } from '../../text/capitalized.js';
import type { ChangedObject } from '../change/configuration-change.js';
import { dtoSchemas, type About } from './dto-schemas.js';

/** What schemas of a kind are made of. Kinds get it, because commands load kinds and no schemas. */
const WORDS = { closedObject, ID, integer, listOf, NAME, orNull, TIME, wordOf };
export type MakeSchemas = (words: typeof WORDS) => Schemas;

/** A query parameter of a list. */
export interface KindFilter {
  readonly description?: string;
  /** Those of which it is one; any text unless given. */
  readonly words?: readonly string[];
  /** Whether it is up to 100 texts, of which an object must have one. */
  readonly several?: true;
}

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
  readonly filters?: Readonly<Record<string, KindFilter>>;
  /** What `expand` of a request adds to views, by its word; there is none unless given. */
  readonly expand?: { readonly word: string; readonly description: string; readonly schema: MakeSchemas };
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
  readonly shown?: MakeSchemas;
  /** The keys of bodies that only some views have. */
  readonly sometimes?: readonly string[];
  /** Name of the schema of the answer that creates one, where it has more. */
  readonly created?: string;
  /** The 409 for what is in use, where it has more than every error: its keys, and an example. */
  readonly inUse?: { readonly description: string; readonly keys: MakeSchemas; readonly example: object };
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
    ...(inUse && { [`${name}InUse`]: errorSchema(inUse.keys(WORDS)) }),
  };
}

/** Returns the schema of an answer of one kind. @param more keys that it always has, and some that it may */
export function viewSchema(docs: KindDocs, more: Schemas = {}, optional: Schemas = {}): Schema {
  const { sometimes = [], shown, expand } = docs;
  const { archived = ARCHIVED, ...own } = { ...dtoSchemas(docs.dto, docs.about).values, ...shown?.(WORDS) };
  const isSometimes = ([key]: readonly [string, unknown]): boolean => sometimes.includes(key);
  const values = Object.entries(own);
  const always = Object.fromEntries(values.filter((entry) => !isSometimes(entry)));
  const view = { id: ID, ...always, ...more, created_at: TIME, updated_at: TIME, archived };
  const rest = {
    ...Object.fromEntries(values.filter(isSometimes)),
    ...expand?.schema(WORDS),
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
