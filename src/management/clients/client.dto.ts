import { IsStorableText, MayBeAbsent } from '../../validation/decorators.js';
import { IsScopeList } from './scope-list.decorator.js';

/** The body of `POST /clients`. */
export class ClientDto {
  @IsStorableText(200)
  name!: string;

  /** Space-separated. Default: all but `availability` and `manage`. */
  @MayBeAbsent()
  @IsScopeList()
  scope?: string;
}
