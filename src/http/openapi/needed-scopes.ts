import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations.js';

/** Says in words which scope the token of each operation must have, and of others that they need no token. */
export function withNeededScopes(document: OpenAPIObject): OpenAPIObject {
  for (const operation of operationsOf(document)) {
    operation.security ??= [];
    const scopes = operation.security.flatMap(({ oauth2 = [] }) => oauth2);
    if (scopes.length === 0) continue;
    const needed = `Scope: ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
    const { description = '' } = operation;
    operation.description = description === '' ? needed : `${description}\n\n${needed}`;
  }
  return document;
}
