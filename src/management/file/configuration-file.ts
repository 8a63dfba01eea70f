import { IsBoolean, Matches } from 'class-validator';
import { SLUG } from '../../accounts/index.js';
import { GroupRoleDto, MemberDto } from '../../auth/index.js';
import { CapacityDto } from '../../capacities/index.js';
import { IsHolidays, TeamDto, UserDto } from '../../directory/index.js';
import { FieldDto } from '../../fields/index.js';
import { RouterDto } from '../../routers/index.js';
import {
  comparedEmail,
  comparedName,
  IsListOf,
  IsStorableText,
  MayBeAbsent,
} from '../../validation/decorators.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import { validateDto } from '../../validation/validate-dto.js';
import { ConfigurationFileError, type PlaceOf } from './configuration-file.error.js';
import { readYaml } from './read-yaml.js';

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

/** The configuration file (contract section 5). */
export class ConfigurationFile {
  @IsListOf(AccountDto, { keyOf: (account) => account.slug })
  accounts!: AccountDto[];
}

/**
 * Reads a configuration file in YAML (JSON is valid YAML). References are looked at when it is applied.
 * @throws ConfigurationFileError with path and place of every failing key, or with the place where the text
 *   is not YAML, or no object
 */
export function parseConfigurationFile(text: string): ConfigurationFile {
  const { value, placeOf } = readYaml(text);
  if (!isPlainObject(value)) {
    throw new ConfigurationFileError([{ message: 'The file must be an object with the key accounts' }]);
  }
  const result = validateDto(ConfigurationFile, value);
  if (!result.ok) throw new ConfigurationFileError(result.errors).locate(placeOf);
  places.set(result.value, placeOf);
  return result.value;
}

const places = new WeakMap<ConfigurationFile, PlaceOf>();

/** Finds the places of keys of a file that was read. */
export function placesIn(file: ConfigurationFile): PlaceOf {
  return places.get(file) ?? (() => undefined);
}
