import { IsNotEmpty, IsObject, IsString, ValidateBy } from 'class-validator';
import type { VersionChoice } from '../../routers/index.js';
import { parseInstant } from '../../time/parse-instant.js';
import { MayBeAbsent } from '../../validation/decorators.js';

/** Greatest number of a version of a router. */
const MOST = 2 ** 31 - 1;

/** Accepts what names a version of a router: `live`, `draft` or a number. */
const IsVersion = (): PropertyDecorator =>
  ValidateBy({
    name: 'isVersion',
    validator: {
      validate: (value: unknown) =>
        value === 'live' ||
        value === 'draft' ||
        (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST),
      defaultMessage: (args) => `${args?.property ?? 'value'} must be live, draft or the number of a version`,
    },
  });

/** Accepts the text of an instant, as `parseInstant` reads it. */
const IsInstant = (): PropertyDecorator =>
  ValidateBy({
    name: 'isInstant',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && parseInstant(value) !== undefined,
      defaultMessage: (args) => `${args?.property ?? 'value'} must be an ISO 8601 date and time`,
    },
  });

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
