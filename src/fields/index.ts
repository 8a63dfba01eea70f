export { FieldCatalog } from './catalog/field-catalog.js';
export { OBJECT_TYPE_RULES } from './object-type.js';
export {
  assignedDateOf,
  customNameProblem,
  isSystemProperty,
  type SystemProperty,
} from './catalog/reserved-names.js';
export { STANDARD_FIELDS } from './catalog/standard-fields.js';
export type { FieldDefinition, FieldOption } from './field-definition.js';
export { FieldDefinitionEntity } from './field-definition.entity.js';
export { FieldsModule } from './fields.module.js';
export { FieldsRepository, type LeftOut, type StoredField } from './fields.repository.js';
export { OBJECT_TYPES, type ObjectType } from './object-type.js';
export { BUILT_IN_FIELD_TYPES } from './types/built-in-field-types.js';
export { isPlainDecimal } from './types/decimal.js';
export type {
  ComparisonKey,
  FieldEnvironment,
  FieldType,
  NamedTarget,
  ParseResult,
} from './types/field-type.js';
export { FIELD_TYPES, FieldTypeRegistry } from './types/field-type-registry.js';
export {
  ownerChanges,
  validateFields,
  type FieldChanges,
  type WriteKind,
} from './validation/validate-fields.js';
export { FieldDto, FieldOptionDto } from './dto/field.dto.js';
export { namedTarget } from './types/reference-field-type.js';
