import { Type } from 'class-transformer';
import { IsArray, IsBoolean, Matches, ValidateNested } from 'class-validator';
import { SLUG } from '../../accounts/index.js';
import { GroupRoleDto, MemberDto } from '../../auth/index.js';
import { CapacityDto } from '../../capacities/index.js';
import { IsHolidays, TeamDto, UserDto } from '../../directory/index.js';
import { FieldDto } from '../../fields/index.js';
import { RouterDto } from '../../routers/index.js';
import { comparedEmail, comparedName } from '../../validation/compared.js';
import { HasDistinctItems, IsStorableText, MayBeAbsent } from '../../validation/decorators.js';

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
  @IsArray()
  @HasDistinctItems((user: UserDto) => comparedEmail(user.email))
  @ValidateNested({ each: true })
  @Type(() => UserDto)
  users?: UserDto[];

  @MayBeAbsent()
  @IsArray()
  @HasDistinctItems((team: TeamDto) => comparedName(team.name))
  @ValidateNested({ each: true })
  @Type(() => TeamDto)
  teams?: TeamDto[];

  @MayBeAbsent()
  @IsArray()
  @HasDistinctItems((field: FieldDto) => `${field.object_type}.${field.internal_name}`)
  @ValidateNested({ each: true })
  @Type(() => FieldDto)
  fields?: FieldDto[];

  @MayBeAbsent()
  @IsArray()
  @HasDistinctItems((capacity: CapacityDto) => comparedName(capacity.name))
  @ValidateNested({ each: true })
  @Type(() => CapacityDto)
  capacities?: CapacityDto[];

  @MayBeAbsent()
  @IsArray()
  @HasDistinctItems((router: RouterDto) => comparedName(router.name))
  @ValidateNested({ each: true })
  @Type(() => RouterDto)
  routers?: RouterDto[];

  @MayBeAbsent()
  @IsArray()
  @HasDistinctItems((member: MemberDto) => comparedEmail(member.email))
  @ValidateNested({ each: true })
  @Type(() => MemberDto)
  members?: MemberDto[];

  /** Groups of the provider whose people are members, with the role. */
  @MayBeAbsent()
  @IsArray()
  @HasDistinctItems(({ group }: GroupRoleDto) => group)
  @ValidateNested({ each: true })
  @Type(() => GroupRoleDto)
  console_roles?: GroupRoleDto[];
}
