import { Transform } from 'class-transformer';
import { ArrayUnique, IsArray, IsString } from 'class-validator';
import { MayBeAbsent } from '../../validation/presence.decorator.js';
import { IsStorableText } from '../../validation/storable-text.decorator.js';

/** A team as the configuration file has it. */
export class TeamDto {
  @IsStorableText(200)
  name!: string;

  /** E-mail addresses of users of the account, in turn order. */
  @MayBeAbsent()
  @Transform(({ value }: { value: unknown }) =>
    Array.isArray(value)
      ? value.map((email: unknown) => (typeof email === 'string' ? email.trim().toLowerCase() : email))
      : value,
  )
  @IsArray()
  @ArrayUnique()
  @IsString({ each: true })
  members?: string[];
}
