import { PartialType } from '@nestjs/mapped-types';
import { TeamDto } from '../../directory/index.js';

/** The body of `PATCH /teams/{id}`: what it leaves out stays as it is. */
export class TeamChangesDto extends PartialType(TeamDto, { skipNullProperties: false }) {}
