import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsNumber,
  IsObject,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import { IsEmailKey } from '../../validation/email-key.decorator.js';
import { MayBeAbsent, MayBeNull } from '../../validation/presence.decorator.js';
import { IsStorableText } from '../../validation/storable-text.decorator.js';

/** A user in a router's pool. */
export class RouterUserDto {
  @IsEmailKey()
  email!: string;

  @MayBeAbsent()
  @IsNumber({ maxDecimalPlaces: 4 })
  @Min(0)
  @Max(100)
  percentage?: number;
}

/** A team in a router's pool. */
export class RouterTeamDto {
  @IsStorableText(200)
  name!: string;

  @MayBeAbsent()
  @IsNumber({ maxDecimalPlaces: 4 })
  @Min(0)
  @Max(100)
  percentage?: number;
}

/** A router in the configuration file. Keys that are left out, also those of its settings, do not change. */
export class RouterDto {
  @IsStorableText(200)
  name!: string;

  /** May be left out for a router that exists. It cannot change. */
  @MayBeAbsent()
  @IsIn(OBJECT_TYPES)
  object_type?: ObjectType;

  @MayBeAbsent()
  @IsBoolean()
  published?: boolean;

  /** The engine validates it with the account's fields. */
  @MayBeNull()
  @IsObject()
  settings?: Record<string, unknown> | null;

  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(1000)
  @ValidateNested({ each: true })
  @Type(() => RouterUserDto)
  users?: RouterUserDto[];

  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(1000)
  @ValidateNested({ each: true })
  @Type(() => RouterTeamDto)
  teams?: RouterTeamDto[];
}
