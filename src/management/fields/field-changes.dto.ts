import { PartialType } from '@nestjs/mapped-types';
import { FieldDto } from '../../fields/index.js';

/** The body of `PATCH /fields/{id}`: what it leaves out stays as it is, and `options` is the whole list. */
export class FieldChangesDto extends PartialType(FieldDto, { skipNullProperties: false }) {}
