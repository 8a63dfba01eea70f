import { Module } from '@nestjs/common';
import { FieldsRepository } from './fields.repository.js';
import type { FieldType } from './types/field-type.js';
import { FIELD_TYPES, FieldTypeRegistry } from './types/field-type-registry.js';

@Module({
  providers: [
    FieldsRepository,
    {
      provide: FieldTypeRegistry,
      inject: [FIELD_TYPES],
      useFactory: (types: readonly FieldType[]) => new FieldTypeRegistry(types),
    },
  ],
  exports: [FieldsRepository, FieldTypeRegistry],
})
export class FieldsModule {}
