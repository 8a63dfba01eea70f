import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations.js';
import { reference, type Schemas } from './schemas.js';

type Examples = NonNullable<NonNullable<OpenAPIObject['components']>['examples']>;

/**
 * Gives every success that refers to a schema the examples of that schema, unless it has some of its own. An
 * example stands once in the document: among its examples, under the name of the schema, and a number if the
 * schema has several.
 */
export function withAnswerExamples(document: OpenAPIObject): OpenAPIObject {
  const { examples, schemas, named } = divided(document.components?.schemas ?? {});
  for (const { responses } of operationsOf(document)) {
    for (const [status, response] of Object.entries(responses)) {
      if (!status.startsWith('2') || response === undefined || '$ref' in response) continue;
      const answer = response.content?.['application/json'];
      const schema = answer?.schema ?? {};
      const names = '$ref' in schema ? named.get(schema.$ref) : undefined;
      if (answer === undefined || names === undefined) continue;
      answer.examples ??= Object.fromEntries(
        names.map((name) => [name, { $ref: `#/components/examples/${name}` }]),
      );
    }
  }
  const { components } = document;
  return {
    ...document,
    components: { ...components, examples: { ...components?.examples, ...examples }, schemas },
  };
}

interface Divided {
  readonly examples: Examples;
  /** The schemas without their examples. */
  readonly schemas: Schemas;
  /** The names of the examples of a schema, by the reference to it. */
  readonly named: ReadonlyMap<string, readonly string[]>;
}

function divided(all: Schemas): Divided {
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
    const own = (values as unknown[]).map((value, index) => [
      index === 0 ? name : `${name}${index + 1}`,
      value,
    ]);
    for (const [key, value] of own) examples[key as string] = { ...summaryOf(value), value };
    named.set(
      reference(name).$ref,
      own.map(([key]) => key as string),
    );
  }
  return { examples, schemas, named };
}

/** What tells one answer from another. */
function summaryOf(value: unknown): { readonly summary?: string } {
  const { message, reason } = value as { message?: string; reason?: string };
  return message === undefined || reason === undefined ? {} : { summary: `${message} (${reason})` };
}
