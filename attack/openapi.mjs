// The routes of docs/openapi.json, with the schemas of their bodies resolved.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const document = JSON.parse(
  readFileSync(fileURLToPath(new URL('../docs/openapi.json', import.meta.url)), 'utf8'),
);

/** @returns the schema to which a reference leads */
export function resolved(schema = {}) {
  if (schema.$ref === undefined) return schema;
  return resolved(document.components.schemas[schema.$ref.split('/').at(-1)]);
}

/** What a collection has one of: `/capacities` has a `capacity`. */
export const kindOf = (path) => path.slice(1).replace(/ies$/, 'y').replace(/s$/, '');

/** Every route: { method, path, kind, parameters, body }, where `body` is the schema of its JSON, if it has one. */
export const ROUTES = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.filter((method) => method in item).map((method) => ({
    method: method.toUpperCase(),
    path,
    kind: kindOf(path),
    isPublic: (item[method].security ?? []).length === 0 && !path.startsWith('/oauth2'),
    parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])].map((each) =>
      resolved(each),
    ),
    body: item[method].requestBody?.content?.['application/json']?.schema,
  })),
);

/** The path of a route with its parameters replaced, such as `{contactId}`. */
export const pathOf = ({ path }, valueOf) => path.replace(/\{(\w+)\}/g, (_, name) => valueOf(name));
