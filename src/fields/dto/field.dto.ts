import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsString, Matches } from 'class-validator';
import { IsListOf, IsStorableText, MayBeAbsent } from '../../validation/decorators.js';
import { OBJECT_TYPES, type ObjectType } from '../object-type.js';

/** An option of an enumeration field in the configuration file. */
export class FieldOptionDto {
  @Transform(({ value }: { value: unknown }) => (typeof value === 'number' ? String(value) : value))
  @Matches(/^[A-Za-z0-9][A-Za-z0-9 _.-]{0,99}$/, {
    message: 'internal_name must be 1 to 100 letters, digits, spaces, dots, underscores and hyphens',
  })
  internal_name!: string;

  /** By default the internal name. */
  @MayBeAbsent()
  @IsStorableText(200)
  label?: string;
}

/** In the configuration file: a custom field, or options that are added to a standard enumeration field. */
export class FieldDto {
  @IsIn(OBJECT_TYPES)
  object_type!: ObjectType;

  @IsString()
  internal_name!: string;

  @MayBeAbsent()
  @IsStorableText(200)
  label?: string;

  /** Id of a registered field type. Optional for a field that exists. */
  @MayBeAbsent()
  @IsString()
  type?: string;

  /** Only for a custom field of type string: takes longer texts. A new field is not long by default. */
  @MayBeAbsent()
  @IsBoolean()
  long?: boolean;

  /** Gives the field an index for searches, or takes it away. A new field has none by default. */
  @MayBeAbsent()
  @IsBoolean()
  indexed?: boolean;

  /** Only for a field of type reference, which needs it: the object type of the records that it names. */
  @MayBeAbsent()
  @IsIn(OBJECT_TYPES)
  target_object_type?: ObjectType;

  @MayBeAbsent()
  @IsListOf(FieldOptionDto, { most: 5000 })
  options?: FieldOptionDto[];
}
