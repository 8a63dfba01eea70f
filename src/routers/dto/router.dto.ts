import { PartialType, PickType } from '@nestjs/mapped-types';
import { IsBoolean, IsIn, IsInt, IsNumber, IsObject, Max, Min } from 'class-validator';
import { OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import { IsEmailKey } from '../../validation/email-key.decorator.js';
import { IsListOf, IsStorableText, MayBeAbsent, MayBeNull } from '../../validation/decorators.js';

/** An entry in the pool of a router. */
abstract class ShareDto {
  @MayBeAbsent()
  @IsNumber({ maxDecimalPlaces: 4 })
  @Min(0)
  @Max(100)
  percentage?: number;
}

/** A user in the pool of a router, in the configuration file. */
export class RouterUserDto extends ShareDto {
  @IsEmailKey()
  email!: string;
}

/** A team in the pool of a router, in the configuration file. */
export class RouterTeamDto extends ShareDto {
  @IsStorableText(200)
  name!: string;
}

/** A router in the configuration file. Absent keys, of its settings too, keep their stored values. */
export class RouterDto {
  @IsStorableText(200)
  name!: string;

  /** May be absent for a router that exists. Cannot be changed. */
  @MayBeAbsent()
  @IsIn(OBJECT_TYPES)
  object_type?: ObjectType;

  @MayBeAbsent()
  @IsBoolean()
  published?: boolean;

  /** The engine validates it against the fields of the account. */
  @MayBeNull()
  @IsObject()
  settings?: Record<string, unknown> | null;

  @MayBeAbsent()
  @IsListOf(RouterUserDto, { most: 1000 })
  users?: RouterUserDto[];

  @MayBeAbsent()
  @IsListOf(RouterTeamDto, { most: 1000 })
  teams?: RouterTeamDto[];
}

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

/** The body of `POST /routers/{id}/publish`. */
export class PublishDto {
  @MayBeNull()
  @IsStorableText(1000)
  note?: string | null;
}

const NUMBER = { message: 'version must be the number of a version' };

/** The body of `POST /routers/{id}/rollback`. */
export class RollbackDto {
  @IsInt(NUMBER)
  @Min(1, NUMBER)
  @Max(2 ** 31 - 1, NUMBER)
  version!: number;
}
