import { ValidateIf } from 'class-validator';

/** The property may be absent. Unlike with IsOptional, null is validated like any other value. */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** The property may be absent, or null, which resets it. */
export const MayBeNull = (): PropertyDecorator =>
  ValidateIf((_, value) => value !== undefined && value !== null);
