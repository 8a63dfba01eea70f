import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

/** Whether the value of a property is a DTO, or a list of them, by the name of the property. */
type DtoProperties = ReadonlyMap<string, boolean>;

const known = new WeakMap<object, DtoProperties>();

/** Returns the properties that a DTO class declares by its decorators. */
export function propertiesOf(dto: Type): DtoProperties {
  const present = known.get(dto);
  if (present !== undefined) return present;
  const properties = new Map<string, boolean>();
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  for (const { propertyName, type } of rules) {
    properties.set(propertyName, type === 'nestedValidation' || properties.get(propertyName) === true);
  }
  known.set(dto, properties);
  return properties;
}

/** Says that a DTO class has no such key, and which it has. @param shown the key, as an error repeats it */
export function unknownKeyMessage(dto: Type, shown: string): string {
  return `Unknown key: ${shown} (allowed: ${[...propertiesOf(dto).keys()].join(', ')})`;
}
