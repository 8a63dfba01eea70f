import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsString } from 'class-validator';
import { OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import {
  comparedEmail,
  comparedName,
  IsCount,
  IsListOf,
  IsStorableText,
  MayBeAbsent,
} from '../../validation/decorators.js';
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
  @IsListOf(UserCapacityDto, { most: 5000, keyOf: (user) => comparedEmail(user.email) })
  users?: UserCapacityDto[];

  @MayBeAbsent()
  @IsListOf(TeamCapacityDto, { most: 1000, keyOf: (team) => comparedName(team.name) })
  teams?: TeamCapacityDto[];
}
