import type { Type } from '@nestjs/common';
import { ARRAY_MAX_SIZE, getMetadataStorage } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';

interface DtoProperty {
  /** Whether its value is a DTO, or a list of them. */
  readonly isNested: boolean;
  /** The most elements that are read of a list: one more than it may have, and none in place of an object. */
  readonly read: number;
}

/** The properties of a DTO class by their names. */
type DtoProperties = ReadonlyMap<string, DtoProperty>;

const known = new WeakMap<object, DtoProperties>();

/** Returns the properties that a DTO class declares by its decorators. */
export function propertiesOf(dto: Type): DtoProperties {
  const present = known.get(dto);
  if (present !== undefined) return present;
  const properties = new Map<string, DtoProperty>();
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  for (const rule of rules) {
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

/** Says that a DTO class has no such key, and which it has. @param shown the key, as an error repeats it */
export function unknownKeyMessage(dto: Type, shown: string): string {
  return `Unknown key: ${shown} (allowed: ${[...propertiesOf(dto).keys()].join(', ')})`;
}
