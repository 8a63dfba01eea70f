import { PartialType, PickType } from '@nestjs/mapped-types';
import { RouterDto } from './router.dto.js';

/** The body of `POST /routers`: a router of the configuration file. It is published by a route of its own. */
export class NewRouterDto extends PickType(RouterDto, [
  'name',
  'object_type',
  'settings',
  'users',
  'teams',
] as const) {}

/** The body of `PATCH /routers/{id}`, and of a simulation of one: what it leaves out stays as it is. */
export class RouterChangesDto extends PartialType(NewRouterDto, { skipNullProperties: false }) {}
