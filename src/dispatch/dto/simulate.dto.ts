import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsNotEmpty, IsObject, IsString } from 'class-validator';
import type { VersionChoice } from '../../routers/index.js';
import { MayBeAbsent } from '../../validation/presence.decorator.js';
import { IsInstant } from './is-instant.decorator.js';
import { IsVersion } from './is-version.decorator.js';

/**
 * The body of `POST /dispatch/simulate` (contract section 6): the id of a record, or the fields of one that
 * does not exist.
 */
export class SimulateDto {
  @ApiProperty({ format: 'uuid', description: 'A router of the account' })
  @IsString({ message: 'router_id must be a string' })
  @IsNotEmpty({ message: 'router_id is required' })
  router_id!: string;

  @ApiPropertyOptional({ format: 'uuid', description: "An active record of the router's object type" })
  @MayBeAbsent()
  @IsNotEmpty({ message: 'object_id must not be empty' })
  @IsString({ message: 'object_id must be a string' })
  object_id?: string;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true, description: 'Fields, as in a create' })
  @MayBeAbsent()
  @IsObject({ message: 'fields must be an object of field names and values' })
  fields?: Record<string, unknown>;

  @ApiPropertyOptional({ format: 'date-time', description: 'The instant to decide at; now unless given' })
  @MayBeAbsent()
  @IsInstant()
  at?: string;

  @ApiPropertyOptional({
    oneOf: [
      { type: 'string', enum: ['live', 'draft'] },
      { type: 'integer', minimum: 1 },
    ],
    description:
      'The version of the router to run; `live` unless given. A draft and a version by number run as if they ' +
      'were published.',
  })
  @MayBeAbsent()
  @IsVersion()
  version?: VersionChoice;
}
