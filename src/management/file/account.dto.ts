import { IsBoolean, Matches } from 'class-validator';
import { SLUG } from '../../accounts/index.js';
import { GroupRoleDto, MemberDto } from '../../auth/index.js';
import { CapacityDto } from '../../capacities/index.js';
import { IsHolidays, TeamDto, UserDto } from '../../directory/index.js';
import { FieldDto } from '../../fields/index.js';
import { RouterDto } from '../../routers/index.js';
import { comparedEmail, comparedName } from '../../validation/compared.js';
import { IsListOf, IsStorableText, MayBeAbsent } from '../../validation/decorators.js';

/** An account in the configuration file. */
export class AccountDto {
  @Matches(SLUG.pattern, { message: `slug must be ${SLUG.allowed}` })
  slug!: string;

  /** Default: the slug. */
  @MayBeAbsent()
  @IsStorableText(200)
  name?: string;

  /** true: every token of the account stops working within 5 s. false: tokens work again. */
  @MayBeAbsent()
  @IsBoolean()
  suspended?: boolean;

  @MayBeAbsent()
  @IsHolidays()
  holidays?: string[];

  @MayBeAbsent()
  @IsListOf(UserDto, { keyOf: (user) => comparedEmail(user.email) })
  users?: UserDto[];

  @MayBeAbsent()
  @IsListOf(TeamDto, { keyOf: (team) => comparedName(team.name) })
  teams?: TeamDto[];

  @MayBeAbsent()
  @IsListOf(FieldDto, { keyOf: (field) => `${field.object_type}.${field.internal_name}` })
  fields?: FieldDto[];

  @MayBeAbsent()
  @IsListOf(CapacityDto, { keyOf: (capacity) => comparedName(capacity.name) })
  capacities?: CapacityDto[];

  @MayBeAbsent()
  @IsListOf(RouterDto, { keyOf: (router) => comparedName(router.name) })
  routers?: RouterDto[];

  @MayBeAbsent()
  @IsListOf(MemberDto, { keyOf: (member) => comparedEmail(member.email) })
  members?: MemberDto[];

  /** Groups of the provider whose people are members, with the role. */
  @MayBeAbsent()
  @IsListOf(GroupRoleDto, { keyOf: ({ group }) => group })
  console_roles?: GroupRoleDto[];
}
