import { IsArray } from 'class-validator';
import { HasDistinctItems, IsStorableText, MayBeAbsent } from '../../validation/decorators.js';
import { IsEmailKey } from '../../validation/email-key.decorator.js';

/** A team in the configuration file. */
export class TeamDto {
  @IsStorableText(200)
  name!: string;

  /** E-mail addresses of users of the account, in turn order. */
  @MayBeAbsent()
  @IsArray()
  @HasDistinctItems()
  @IsEmailKey({ each: true })
  members?: string[];
}
