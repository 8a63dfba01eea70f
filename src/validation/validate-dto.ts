import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { FieldError } from '../errors/domain-error.js';
import { flattenErrors } from './flatten-errors.js';
import { unreadableParts } from './unreadable-parts.js';

/**
 * Validates a plain object against its DTO class. Keys that the class does not declare are failures.
 * @returns the instance, or every failure
 */
export function validateDto<T extends object>(
  dto: Type<T>,
  value: object,
): { ok: true; value: T } | { ok: false; errors: FieldError[] } {
  const instance = plainToInstance(dto, value);
  const failures = validateSync(instance, { whitelist: true, forbidNonWhitelisted: true });
  const found = flattenErrors(failures);
  const named = new Set(found.map(({ field }) => field));
  const passedOver = unreadableParts(value).filter(({ field }) => !named.has(field));
  const errors = [...passedOver, ...found];
  return errors.length > 0 ? { ok: false, errors } : { ok: true, value: instance };
}
