import { PartialType } from '@nestjs/mapped-types';
import { CapacityDto } from '../../capacities/index.js';

/** The body of `PATCH /capacities/{id}`: what it leaves out stays as it is. */
export class CapacityChangesDto extends PartialType(CapacityDto, { skipNullProperties: false }) {}
