import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations.js';

/** Says in words, in each operation that takes a bearer token, which scope the token must have. */
export function withNeededScopes(document: OpenAPIObject): OpenAPIObject {
  for (const operation of operationsOf(document)) {
    const scopes = (operation.security ?? []).flatMap(({ bearer = [] }) => bearer);
    if (scopes.length === 0) continue;
    const needed = `Scope: ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
    const { description = '' } = operation;
    operation.description = description === '' ? needed : `${description}\n\n${needed}`;
  }
  return document;
}
