import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const PUBLIC = Symbol('public');

/** Marks a route that needs no token. */
export const Public = (): CustomDecorator<symbol> => SetMetadata(PUBLIC, true);
