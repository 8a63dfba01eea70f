import type { CapacityEntity, CapacityValues } from '../../capacities/index.js';
import type { Directory } from '../../directory/index.js';
import type { FieldCatalog } from '../../fields/index.js';

/** What a capacity names. */
export interface FormSurroundings {
  readonly directory: Directory;
  readonly catalog: FieldCatalog;
}

/** Returns a capacity as the configuration file spells it. Users and teams that are gone are left out. */
export function capacityForm(
  { name, objectType, field, values, users, teams }: CapacityValues & Pick<CapacityEntity, 'name'>,
  { directory, catalog }: FormSurroundings,
): object {
  const isOfUsers = catalog.get(objectType, field)?.type === 'user';
  return {
    name,
    object_type: objectType,
    field,
    values: isOfUsers ? values.map((stored) => directory.names.emailOf(stored)) : values,
    users: users.flatMap(({ userId, max }) => named('email', directory.user(userId)?.email, max)),
    teams: teams.flatMap(({ teamId, max }) => named('name', directory.team(teamId)?.name, max)),
  };
}

function named(key: string, name: string | undefined, max: number): object[] {
  return name === undefined ? [] : [{ [key]: name, max }];
}
