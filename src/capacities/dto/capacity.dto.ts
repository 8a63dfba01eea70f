import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsString, ValidateNested } from 'class-validator';
import { OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import { comparedEmail, comparedName } from '../../validation/compared.js';
import { HasDistinctItems, IsCount, IsStorableText, MayBeAbsent } from '../../validation/decorators.js';
import { IsEmailKey } from '../../validation/email-key.decorator.js';

/** The capacity of one user in the configuration file. */
export class UserCapacityDto {
  @IsEmailKey()
  email!: string;

  @IsCount()
  max!: number;
}

/** The capacity of each member of a team in the configuration file. */
export class TeamCapacityDto {
  @IsStorableText(200)
  name!: string;

  @IsCount()
  max!: number;
}

/** A capacity in the configuration file. */
export class CapacityDto {
  @IsStorableText(200)
  name!: string;

  @IsIn(OBJECT_TYPES)
  object_type!: ObjectType;

  @IsString()
  field!: string;

  /** Values of the field that count; validated against the type of the field when the file is applied. */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1000)
  values!: unknown[];

  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(5000)
  @HasDistinctItems((user: UserCapacityDto) => comparedEmail(user.email))
  @ValidateNested({ each: true })
  @Type(() => UserCapacityDto)
  users?: UserCapacityDto[];

  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(1000)
  @HasDistinctItems((team: TeamCapacityDto) => comparedName(team.name))
  @ValidateNested({ each: true })
  @Type(() => TeamCapacityDto)
  teams?: TeamCapacityDto[];
}
