import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsBoolean, IsObject, ValidateNested } from 'class-validator';
import { IsEmailAddress } from '../../validation/email-key.decorator.js';
import { IsStorableText, MayBeAbsent, MayBeNull } from '../../validation/decorators.js';
import { IsHolidays } from './holidays.decorator.js';
import { LimitsDto } from './limits.dto.js';
import { OutOfOfficeDto } from './out-of-office.dto.js';
import { IsKnownTimeZone } from './time-zone.decorator.js';
import { WorkingHoursDto } from './working-hours.dto.js';

/** A user as the configuration file has it. A key that is left out changes nothing. */
export class UserDto {
  @IsEmailAddress()
  email!: string;

  @MayBeNull()
  @IsStorableText(200)
  name?: string | null;

  @MayBeAbsent()
  @IsKnownTimeZone()
  timezone?: string;

  @MayBeAbsent()
  @IsBoolean()
  available?: boolean;

  @MayBeNull()
  @IsArray()
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  @Type(() => WorkingHoursDto)
  working_hours?: WorkingHoursDto[] | null;

  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(1000)
  @ValidateNested({ each: true })
  @Type(() => OutOfOfficeDto)
  out_of_office?: OutOfOfficeDto[];

  @MayBeAbsent()
  @IsHolidays()
  holidays?: string[];

  @MayBeNull()
  @IsObject()
  @ValidateNested()
  @Type(() => LimitsDto)
  limits?: LimitsDto | null;
}
