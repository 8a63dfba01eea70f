import { ArrayMaxSize, ArrayMinSize, IsArray, IsNotEmpty, IsObject, IsString } from 'class-validator';
import type { VersionChoice } from '../../routers/index.js';
import { parseInstant } from '../../time/parse-instant.js';
import { MayBeAbsent, rule } from '../../validation/decorators.js';

/** Greatest number of a version of a router. */
const MOST = 2 ** 31 - 1;

const isNumber = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST;

const IsVersion = (): PropertyDecorator =>
  rule(
    'isVersion',
    'must be live, draft or the number of a version',
    (value) => value === 'live' || value === 'draft' || isNumber(value),
  );

const IsInstant = (): PropertyDecorator =>
  rule(
    'isInstant',
    'must be an ISO 8601 date and time',
    (value) => typeof value === 'string' && parseInstant(value) !== undefined,
  );

/** The body of `POST /dispatch/router` (clause 4.6). */
export class DispatchDto {
  @IsString({ message: 'router_id must be a string' })
  @IsNotEmpty({ message: 'router_id is required' })
  router_id!: string;

  @IsString({ message: 'object_id must be a string' })
  @IsNotEmpty({ message: 'object_id is required' })
  object_id!: string;
}

/** The body of `POST /dispatch/batch` (contract section 6). */
export class DispatchBatchDto {
  @IsString({ message: 'router_id must be a string' })
  @IsNotEmpty({ message: 'router_id is required' })
  router_id!: string;

  @IsString({ each: true, message: 'object_ids must be strings' })
  @ArrayMinSize(1, { message: 'object_ids must name 1 to 100 objects' })
  @ArrayMaxSize(100, { message: 'object_ids must name 1 to 100 objects' })
  @IsArray({ message: 'object_ids must be an array of strings' })
  object_ids!: string[];
}

/** The body of `POST /dispatch/simulate` (contract section 6). It has `object_id` or `fields`. */
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

  /** The body of a PATCH of the router, in place of `version`: an edit that is not stored. */
  @MayBeAbsent()
  @IsObject({ message: 'router must be an object' })
  router?: object;
}
