import type { OpenAPIObject } from '@nestjs/swagger';

/** One method of one path of the OpenAPI document. */
export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** Returns every operation of a document. */
export function operationsOf({ paths }: OpenAPIObject): Operation[] {
  return Object.values(paths).flatMap((path) => Object.values(path) as Operation[]);
}

/** Whether an operation needs an access token. */
export const takesToken = ({ security = [] }: Operation): boolean =>
  security.some((each) => 'bearer' in each || 'oauth2' in each);
