import { ValidateIf } from 'class-validator';

/**
 * May be left out, but where it is given it must be valid: unlike IsOptional, null is not the same as absent.
 */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** May be left out or null, which resets it. */
export const MayBeNull = (): PropertyDecorator =>
  ValidateIf((_, value) => value !== undefined && value !== null);
