import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { FieldError } from '../errors/domain-error.js';
import { flattenErrors } from './flatten-errors.js';

/** Keys that class-transformer leaves out without a word. */
const SKIPPED = ['__proto__', 'constructor'];

/**
 * Validates a plain object against its DTO class, which must know every key.
 * @returns the instance, or every failing field.
 */
export function validateDto<T extends object>(
  dto: Type<T>,
  value: object,
): { ok: true; value: T } | { ok: false; errors: FieldError[] } {
  const skipped = SKIPPED.filter((key) => Object.hasOwn(value, key));
  const instance = plainToInstance(dto, value);
  const failures = validateSync(instance, { whitelist: true, forbidNonWhitelisted: true });
  const errors = [
    ...skipped.map((field) => ({ field, message: `Unknown key: ${field}` })),
    ...flattenErrors(failures),
  ];
  return errors.length > 0 ? { ok: false, errors } : { ok: true, value: instance };
}
