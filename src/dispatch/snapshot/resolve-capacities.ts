import type { AccountConfiguration } from '../../configuration/index.js';
import { maxByEmail, type Capacity } from '../../engine/index.js';

/**
 * Returns the capacities of an account in the form that the engine needs, with users and teams resolved to
 * e-mails.
 */
export function resolveCapacities({
  capacities,
  directory,
  catalog,
}: AccountConfiguration): readonly Capacity[] {
  const email = (id: string): string[] => {
    const user = directory.user(id);
    return user === undefined ? [] : [user.email];
  };
  return capacities.map(({ name, objectType, field, values, users, teams }) => ({
    name,
    objectType,
    field,
    values:
      catalog.get(objectType, field)?.type === 'user'
        ? values.map((stored) => directory.names.emailOf(stored))
        : values,
    maxByEmail: maxByEmail({
      users: users.flatMap(({ userId, max }) => email(userId).map((each) => ({ email: each, max }))),
      teams: teams.map(({ teamId, max }) => ({
        members: (directory.team(teamId)?.memberIds ?? []).flatMap(email),
        max,
      })),
    }),
  }));
}
