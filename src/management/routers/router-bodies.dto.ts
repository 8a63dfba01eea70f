import { PartialType, PickType } from '@nestjs/mapped-types';
import { IsInt, Max, Min } from 'class-validator';
import { RouterDto } from '../../routers/index.js';
import { IsStorableText, MayBeNull } from '../../validation/decorators.js';

const NUMBER = { message: 'version must be the number of a version' };

/** The body of `POST /routers`: a router of the configuration file. It is published by a route of its own. */
export class NewRouterDto extends PickType(RouterDto, [
  'name',
  'object_type',
  'settings',
  'users',
  'teams',
] as const) {}

/** The body of `PATCH /routers/{id}`: what it leaves out stays as it is. */
export class RouterChangesDto extends PartialType(NewRouterDto, { skipNullProperties: false }) {}

/** The body of `POST /routers/{id}/publish`. */
export class PublishDto {
  @MayBeNull()
  @IsStorableText(1000)
  note?: string | null;
}

/** The body of `POST /routers/{id}/rollback`. */
export class RollbackDto {
  @IsInt(NUMBER)
  @Min(1, NUMBER)
  @Max(2 ** 31 - 1, NUMBER)
  version!: number;
}
