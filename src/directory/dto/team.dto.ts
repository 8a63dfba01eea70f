import { IsArray } from 'class-validator';
import { HasDistinctItems } from '../../validation/distinct-items.decorator.js';
import { IsEmailKey } from '../../validation/email-key.decorator.js';
import { MayBeAbsent } from '../../validation/presence.decorator.js';
import { IsStorableText } from '../../validation/storable-text.decorator.js';

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
