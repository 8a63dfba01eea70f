import { IsNotEmpty, IsObject, IsString } from 'class-validator';
import type { VersionChoice } from '../../routers/index.js';
import { MayBeAbsent } from '../../validation/decorators.js';
import { IsInstant } from './is-instant.decorator.js';
import { IsVersion } from './is-version.decorator.js';

/**
 * The body of `POST /dispatch/simulate` (contract section 6): the id of a record, or the fields of one that
 * does not exist.
 */
export class SimulateDto {
  @IsString({ message: 'router_id must be a string' })
  @IsNotEmpty({ message: 'router_id is required' })
  router_id!: string;

  @MayBeAbsent()
  @IsNotEmpty({ message: 'object_id must not be empty' })
  @IsString({ message: 'object_id must be a string' })
  object_id?: string;

  @MayBeAbsent()
  @IsObject({ message: 'fields must be an object of field names and values' })
  fields?: Record<string, unknown>;

  @MayBeAbsent()
  @IsInstant()
  at?: string;

  @MayBeAbsent()
  @IsVersion()
  version?: VersionChoice;
}
