import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations.js';
import { reference, type Schemas } from './schemas.js';

type Examples = NonNullable<NonNullable<OpenAPIObject['components']>['examples']>;

/**
 * Gives every success that refers to a schema the example of that schema, unless it has one of its own. An
 * example stands once in the document: among its examples, under the name of the schema.
 */
export function withAnswerExamples(document: OpenAPIObject): OpenAPIObject {
  const { examples, schemas } = divided(document.components?.schemas ?? {});
  const named = new Map(Object.keys(examples).map((name) => [reference(name).$ref, name]));
  for (const { responses } of operationsOf(document)) {
    for (const [status, response] of Object.entries(responses)) {
      if (!status.startsWith('2') || response === undefined || '$ref' in response) continue;
      const answer = response.content?.['application/json'];
      const schema = answer?.schema ?? {};
      const name = '$ref' in schema ? named.get(schema.$ref) : undefined;
      if (answer === undefined || name === undefined) continue;
      answer.examples ??= { example: { $ref: `#/components/examples/${name}` } };
    }
  }
  const { components } = document;
  return {
    ...document,
    components: { ...components, examples: { ...components?.examples, ...examples }, schemas },
  };
}

/** Returns the schemas without their examples, and the first example of each that has some. */
function divided(all: Schemas): { readonly examples: Examples; readonly schemas: Schemas } {
  const examples: Examples = {};
  const schemas: Schemas = {};
  for (const [name, schema] of Object.entries(all)) {
    if ('$ref' in schema || !Array.isArray(schema.examples)) {
      schemas[name] = schema;
      continue;
    }
    const { examples: values, ...rest } = schema;
    schemas[name] = rest;
    examples[name] = { value: (values as unknown[])[0] };
  }
  return { examples, schemas };
}
