import type { OpenAPIObject } from '@nestjs/swagger';
import { MEANINGS } from './error-answers.js';
import { headersOf, REPLAYED } from './headers.js';
import { reference, type Schemas } from './schemas.js';

/** One method of one path of the OpenAPI document. */
type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Answer = Exclude<Operation['responses'][string], undefined | { $ref: string }>;
type Examples = NonNullable<NonNullable<OpenAPIObject['components']>['examples']>;

/** Returns every operation of a document. */
export function operationsOf({ paths }: OpenAPIObject): Operation[] {
  return Object.values(paths).flatMap((path) => Object.values(path) as Operation[]);
}

/** Schemas without their examples, and the examples. */
export interface DividedSchemas {
  readonly schemas: Schemas;
  readonly examples: Examples;
  /** The names of the examples of a schema, by the reference to it. */
  readonly named: ReadonlyMap<string, readonly string[]>;
}

/**
 * Gives each operation what its route does not say: the scopes that its token needs, the error answers that
 * every route has, the headers of its answers, and the examples of the schemas of its answers.
 */
export function completeOperations(document: OpenAPIObject, { named }: DividedSchemas): void {
  for (const operation of operationsOf(document)) {
    const takesToken = (operation.security ?? []).some((each) => 'bearer' in each || 'oauth2' in each);
    nameScopes(operation);
    referToErrors(operation, takesToken);
    const isRepeatable = (operation.parameters ?? []).some(
      (each) => 'name' in each && each.name === 'Idempotency-Key',
    );
    for (const [status, answer] of Object.entries(operation.responses)) {
      if (answer === undefined || '$ref' in answer) continue;
      const isSuccess = status < '3';
      const replayed = isRepeatable && isSuccess ? REPLAYED : {};
      answer.headers = { ...headersOf(status, takesToken), ...replayed, ...answer.headers };
      if (isSuccess) addExamples(answer, named);
    }
  }
}

/** Says in words which scope the token of an operation must have, and of others that they need no token. */
function nameScopes(operation: Operation): void {
  operation.security ??= [];
  const scopes = operation.security.flatMap(({ oauth2 = [] }) => oauth2);
  if (scopes.length === 0) return;
  const needed = `Scope: ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
  const { description = '' } = operation;
  operation.description = description === '' ? needed : `${description}\n\n${needed}`;
}

/** Refers to the error answers of the document, but for those that are the operation's own. */
function referToErrors({ responses }: Operation, takesToken: boolean): void {
  const always = takesToken ? [405, 429] : [405];
  for (const [status, { name, description }] of MEANINGS) {
    const answer = responses[status];
    const isShared =
      answer === undefined
        ? always.includes(status)
        : !('$ref' in answer) &&
          answer.description === description &&
          schemaOf(answer) === reference('Error').$ref;
    if (isShared) responses[status] = { $ref: `#/components/responses/${name}` };
  }
}

function addExamples(answer: Answer, named: DividedSchemas['named']): void {
  const json = answer.content?.['application/json'];
  const names = named.get(schemaOf(answer) ?? '');
  if (json === undefined || names === undefined) return;
  json.examples ??= Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/examples/${name}` }]),
  );
}

/** The reference to the schema of an answer, if it has one. */
function schemaOf({ content }: Answer): string | undefined {
  const schema = content?.['application/json']?.schema ?? {};
  return '$ref' in schema ? schema.$ref : undefined;
}

/**
 * Takes the examples out of schemas, so that each stands once in the document: under the name of its schema,
 * and a number if the schema has several.
 */
export function dividedSchemas(all: Schemas): DividedSchemas {
  const examples: Examples = {};
  const schemas: Schemas = {};
  const named = new Map<string, readonly string[]>();
  for (const [name, schema] of Object.entries(all)) {
    if ('$ref' in schema || !Array.isArray(schema.examples)) {
      schemas[name] = schema;
      continue;
    }
    const { examples: values, ...rest } = schema;
    schemas[name] = rest;
    const names = values.map((_, index) => (index === 0 ? name : `${name}${index + 1}`));
    for (const [index, key] of names.entries()) {
      const value: unknown = values[index];
      examples[key] = { ...summaryOf(value), value };
    }
    named.set(reference(name).$ref, names);
  }
  return { schemas, examples, named };
}

/** What tells one answer from another. */
function summaryOf(value: unknown): { readonly summary?: string } {
  const { message, reason } = value as { message?: string; reason?: string };
  return message === undefined || reason === undefined ? {} : { summary: `${message} (${reason})` };
}
