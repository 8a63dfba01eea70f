import type { FieldCatalog } from '../../fields/index.js';
import type { CapacityDto, CapacityEntity, CapacityValues } from '../../capacities/index.js';
import type { Directory } from '../../directory/index.js';
import type { fieldLookup } from '../../routers/index.js';
import { shownName } from '../../text/shown-name.js';
import type { Refuse } from '../change/configuration-change.js';

/** A capacity as it is wanted, and the stored one; undefined for a new one. */
export interface WantedCapacity {
  readonly dto: Omit<CapacityDto, 'values'> & Partial<Pick<CapacityDto, 'values'>>;
  readonly present: CapacityEntity | undefined;
  readonly refuse: Refuse;
}

/** What a capacity refers to. */
export interface CapacitySurroundings {
  readonly directory: Directory;
  readonly catalog: FieldCatalog;
  readonly lookup: ReturnType<typeof fieldLookup>;
}

/** Returns the values of a capacity, with names resolved to ids. Reports everything that is wrong. */
export function capacityValues(wanted: WantedCapacity, around: CapacitySurroundings): CapacityValues {
  const { dto, present, refuse } = wanted;
  const { directory } = around;
  const values = storedValues(wanted, around);
  const users = dto.users?.map(({ email, max }, index) => {
    const user = directory.findUser(email);
    if (user === undefined)
      refuse(`users[${index}].email`, `${shownName(email)} is not a user of the account`);
    return { userId: user?.id ?? '', max };
  });
  const teams = dto.teams?.map(({ name, max }, index) => {
    const team = directory.findTeam(name);
    if (team === undefined) refuse(`teams[${index}].name`, `${shownName(name)} is not a team of the account`);
    return { teamId: team?.id ?? '', max };
  });
  return {
    objectType: dto.object_type,
    field: dto.field,
    values,
    users: users ?? present?.users ?? [],
    teams: teams ?? present?.teams ?? [],
  };
}

/** Returns values as records store them. Those that are not sent stay, where the field does. */
function storedValues(
  { dto: { object_type, field: name, values }, present, refuse }: WantedCapacity,
  { directory: { names }, lookup }: CapacitySurroundings,
): string[] {
  const field = lookup(object_type, name);
  if (field === undefined) {
    refuse('field', `Unknown field of ${object_type}: ${shownName(name)}`);
    return [];
  }
  const staysOf = present?.objectType === object_type && present.field === name;
  if (values === undefined && staysOf) return present.values;
  return (values ?? present?.values ?? []).map((value, index) => {
    const parsed = field.parse(value);
    if (!parsed.ok || parsed.value === '') {
      refuse(`values[${index}]`, parsed.ok ? 'a value must not be empty' : parsed.message);
    }
    if (!parsed.ok) return '';
    return field.definition.type === 'user' ? names.nameOf(parsed.value) : parsed.value;
  });
}
