import type { CapacityDto, CapacityEntity, CapacityValues } from '../../capacities/index.js';
import type { Directory } from '../../directory/index.js';
import type { fieldLookup } from '../../routers/index.js';
import type { Refuse } from '../change/configuration-change.js';

/** A capacity as it is wanted, and the stored one; undefined for a new one. */
export interface WantedCapacity {
  readonly dto: CapacityDto;
  readonly present: CapacityEntity | undefined;
  readonly refuse: Refuse;
}

/** What a capacity refers to. */
export interface CapacitySurroundings {
  readonly directory: Directory;
  readonly lookup: ReturnType<typeof fieldLookup>;
}

/** Returns the values of a capacity, with names resolved to ids. Reports everything that is wrong. */
export function capacityValues(
  { dto, present, refuse }: WantedCapacity,
  { directory, lookup }: CapacitySurroundings,
): CapacityValues {
  const users = dto.users?.map(({ email, max }, index) => {
    const user = directory.findUser(email);
    if (user === undefined) refuse(`users[${index}].email`, `${email} is not a user of the account`);
    return { userId: user?.id ?? '', max };
  });
  const teams = dto.teams?.map(({ name, max }, index) => {
    const team = directory.findTeam(name);
    if (team === undefined) refuse(`teams[${index}].name`, `${name} is not a team of the account`);
    return { teamId: team?.id ?? '', max };
  });
  return {
    objectType: dto.object_type,
    field: dto.field,
    values: storedValues(dto, lookup, refuse),
    users: users ?? present?.users ?? [],
    teams: teams ?? present?.teams ?? [],
  };
}

function storedValues(
  { object_type, field: name, values }: CapacityDto,
  lookup: CapacitySurroundings['lookup'],
  refuse: Refuse,
): string[] {
  const field = lookup(object_type, name);
  if (field === undefined) {
    refuse('field', `Unknown field of ${object_type}: ${name}`);
    return [];
  }
  return values.map((value, index) => {
    const parsed = field.parse(value);
    if (!parsed.ok || parsed.value === '') {
      refuse(`values[${index}]`, parsed.ok ? 'a value must not be empty' : parsed.message);
    }
    return parsed.ok ? parsed.value : '';
  });
}
