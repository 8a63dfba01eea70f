import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { ARRAY_MAX_SIZE, getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';
import type { FieldError } from '../errors/domain-error.js';
import { MAX_ERRORS } from '../errors/errors.js';
import { shownName, shownPath } from '../text/shown-name.js';

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
      unknown.push(unknownKey(dto, { field: shownName(key), key: shownName(key) }));
      continue;
    }
    const read = Array.isArray(part) ? part.slice(0, property.read) : part;
    (property.isNested || isFlat(read) ? built : plain).push([key, read]);
  }
  const unreadable: FieldError[] = [];
  const instance = plainToInstance(dto, readable(Object.fromEntries(built), '', unreadable) as object);
  Object.assign(instance, Object.fromEntries(plain));
  const found = flattened(validateSync(instance, { whitelist: true, forbidNonWhitelisted: true }));
  const named = new Set(found.map(({ field }) => field));
  const errors = [...unknown, ...unreadable.filter(({ field }) => !named.has(field)), ...found];
  return errors.length > 0 ? { ok: false, errors, value: instance } : { ok: true, value: instance };
}

interface DtoProperty {
  /** Whether its value is a DTO, or a list of them. */
  readonly isNested: boolean;
  /** The most elements that are read of a list: one more than it may have, and none in place of an object. */
  readonly read: number;
}

const known = new WeakMap<object, ReadonlyMap<string, DtoProperty>>();

/** Returns the properties that a DTO class declares by its decorators, by their names. */
function propertiesOf(dto: Type): ReadonlyMap<string, DtoProperty> {
  const present = known.get(dto);
  if (present !== undefined) return present;
  const properties = new Map<string, DtoProperty>();
  for (const rule of getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false)) {
    const { isNested = false, read = Infinity } = properties.get(rule.propertyName) ?? {};
    properties.set(rule.propertyName, {
      isNested: isNested || rule.type === 'nestedValidation',
      read: Math.min(read, readOf(rule)),
    });
  }
  known.set(dto, properties);
  return properties;
}

function readOf({ type, name, each, constraints }: ValidationMetadata): number {
  if (type === 'nestedValidation' && !each) return 0;
  return name === ARRAY_MAX_SIZE ? (constraints as [number])[0] + 1 : Infinity;
}

/** Says that a DTO class has no such key, and which it has. @param shown as an error repeats them */
function unknownKey(dto: Type, { field, key }: Readonly<Record<'field' | 'key', string>>): FieldError {
  return { field, message: `Unknown key: ${key} (allowed: ${[...propertiesOf(dto).keys()].join(', ')})` };
}

/** Whether a value contains no object: a scalar, or a list of scalars. */
function isFlat(value: unknown): boolean {
  const isScalar = (each: unknown): boolean => typeof each !== 'object' || each === null;
  return isScalar(value) || (Array.isArray(value) && value.every(isScalar));
}

/**
 * Returns a plain value without the keys that every object inherits, such as `constructor`, at any depth.
 * class-transformer fails on such a key.
 * @param path of the value in the body
 * @param failures receives each of these keys, and each list in a list, which class-validator ignores; at
 *   most as many as an error lists
 */
function readable(value: unknown, path: string, failures: FieldError[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const report = (at: string, message: (shown: string) => string): void => {
    const field = shownPath(at);
    if (failures.length < MAX_ERRORS) failures.push({ field, message: message(field) });
  };
  if (Array.isArray(value)) {
    return value.map((child: unknown, index): unknown => {
      const field = typeof child === 'object' && child !== null ? `${path}[${index}]` : '';
      if (!Array.isArray(child)) return readable(child, field, failures);
      report(field, (shown) => `${shown} must not be a list in a list`);
      return child;
    });
  }
  const parts: [string, unknown][] = [];
  for (const [key, child] of Object.entries(value) as [string, unknown][]) {
    const field = path === '' ? shownName(key) : `${path}.${shownName(key)}`;
    if (key in Object.prototype) report(field, () => `Unknown key: ${key}`);
    else parts.push([key, readable(child, field, failures)]);
  }
  return Object.fromEntries(parts);
}

/**
 * Turns the result of class-validator into a flat list with paths such as `users[1].working_hours[0].start`:
 * one failure for each failing property.
 * @param prefix path of the validated object; empty for a request body
 */
function flattened(failures: readonly ValidationError[], prefix = ''): FieldError[] {
  return failures.flatMap(({ property, target, constraints = {}, children = [] }) => {
    const shown = shownName(property);
    const name = prefix === '' ? shown : `${prefix}.${shown}`;
    const path = /^\d+$/.test(property) ? `${prefix}[${property}]` : name;
    const field = shownPath(path);
    if ('whitelistValidation' in constraints)
      return [unknownKey(target?.constructor as Type, { field, key: shown })];
    // A value of another type fails the rules for the right type too; only the failure of the type is of use.
    const { isArray, isInt, isNumber, nestedValidation, ...others } = constraints;
    if (isArray !== undefined) return [{ field, message: isArray }];
    const nested = nestedValidation === undefined ? undefined : `${field} must be an object`;
    const message = isInt ?? isNumber ?? Object.values(others)[0] ?? nested;
    return [...(message === undefined ? [] : [{ field, message }]), ...flattened(children, path)];
  });
}
