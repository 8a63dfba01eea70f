import type { AccountConfiguration } from '../../configuration/index.js';
import { maxByEmail, type Capacity } from '../../engine/index.js';

/** The capacities of an account as the engine weighs them: users and teams turned into e-mails. */
export function resolveCapacities({ capacities, directory }: AccountConfiguration): readonly Capacity[] {
  const email = (id: string): string[] => {
    const user = directory.user(id);
    return user === undefined ? [] : [user.email];
  };
  return capacities.map(({ name, objectType, field, values, users, teams }) => ({
    name,
    objectType,
    field,
    values,
    maxByEmail: maxByEmail({
      users: users.flatMap(({ userId, max }) => email(userId).map((each) => ({ email: each, max }))),
      teams: teams.map(({ teamId, max }) => ({
        members: (directory.team(teamId)?.memberIds ?? []).flatMap(email),
        max,
      })),
    }),
  }));
}
