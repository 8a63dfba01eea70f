import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsString } from 'class-validator';
import { MayBeAbsent } from '../../validation/decorators.js';
import { NameList } from '../name-list.decorator.js';

/** The most inputs of a batch. */
export const MOST_INPUTS = 500;

const COUNT = `inputs must have 1 to ${MOST_INPUTS} objects`;

/** The body of `POST /{type}/batch/{action}` (contract section 7), before inputs and names are looked at. */
export class BatchDto {
  @ArrayMaxSize(MOST_INPUTS, { message: COUNT })
  @ArrayMinSize(1, { message: COUNT })
  @IsArray({ message: COUNT })
  inputs!: unknown[];

  @MayBeAbsent()
  @IsBoolean({ message: 'atomic must be true or false' })
  atomic?: boolean;

  @MayBeAbsent()
  @IsString({ message: 'id_property must be the name of a unique key' })
  id_property?: string;

  @NameList('properties')
  properties?: string[];
}
