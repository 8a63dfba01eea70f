import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { FieldError } from '../errors/domain-error.js';
import { propertiesOf, unknownKeyMessage } from './dto-properties.js';
import { flattenErrors } from './flatten-errors.js';
import { shownName } from '../text/shown-name.js';
import { readableValue } from './readable-value.js';

/**
 * Validates a plain object against its DTO class. Keys that the class does not declare are failures.
 *
 * class-transformer gets only what it has to build. It takes quadratic time for an object with many keys, and
 * fails on a key such as `constructor`. So unknown keys are refused before it, and objects whose property is
 * no nested DTO are put on the instance as they are. A list that is too long is read one element too far, and
 * one in place of an object not at all, so that neither costs more than what is right.
 * @returns the instance; every failure, and the instance as far as it could be made
 */
export function validateDto<T extends object>(
  dto: Type<T>,
  value: object,
): { ok: true; value: T } | { ok: false; errors: FieldError[]; value: T } {
  const properties = propertiesOf(dto);
  const unknown: FieldError[] = [];
  const built: [string, unknown][] = [];
  const plain: [string, unknown][] = [];
  for (const [key, part] of Object.entries(value) as [string, unknown][]) {
    const property = properties.get(key);
    if (property === undefined) {
      unknown.push(unknownKey(key, dto));
      continue;
    }
    const read = Array.isArray(part) ? part.slice(0, property.read) : part;
    (property.isNested || isFlat(read) ? built : plain).push([key, read]);
  }
  const unreadable: FieldError[] = [];
  const instance = plainToInstance(dto, readableValue(Object.fromEntries(built), unreadable) as object);
  Object.assign(instance, Object.fromEntries(plain));
  const found = flattenErrors(validateSync(instance, { whitelist: true, forbidNonWhitelisted: true }));
  const named = new Set(found.map(({ field }) => field));
  const errors = [...unknown, ...unreadable.filter(({ field }) => !named.has(field)), ...found];
  return errors.length > 0 ? { ok: false, errors, value: instance } : { ok: true, value: instance };
}

/** Whether a value contains no object: a scalar, or a list of scalars. */
function isFlat(value: unknown): boolean {
  const isScalar = (each: unknown): boolean => typeof each !== 'object' || each === null;
  return isScalar(value) || (Array.isArray(value) && value.every(isScalar));
}

function unknownKey(key: string, dto: Type): FieldError {
  const name = shownName(key);
  return { field: name, message: unknownKeyMessage(dto, name) };
}
