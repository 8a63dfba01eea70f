import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** Says in the description of each operation which scopes of a bearer token are enough for it. */
export function withScopes(document: OpenAPIObject): OpenAPIObject {
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(path) as Operation[]) {
      const scopes = (operation.security ?? []).flatMap((each) => each['bearer'] ?? []);
      if (scopes.length === 0) continue;
      const said = `Scope: ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
      operation.description = [operation.description ?? '', said].filter((text) => text !== '').join('\n\n');
    }
  }
  return document;
}
