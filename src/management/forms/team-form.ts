import type { Directory, Team } from '../../directory/index.js';

/** Returns a team as the configuration file spells it. Members who are users no more are left out. */
export function teamForm({ name, memberIds }: Omit<Team, 'id'>, directory: Directory): object {
  return { name, members: memberIds.flatMap((id) => directory.user(id)?.email ?? []) };
}
