import type { Directory } from '../directory/index.js';
import { normalizeEmail } from '../text/email-key.js';
import type { NamedPeople } from './router-version.entity.js';

/** Returns the active users and teams whose e-mails and names are texts in stored settings. */
export function namedPeople(settings: unknown, directory: Directory): NamedPeople {
  const users = new Map<string, string>();
  const teams = new Map<string, string>();
  for (const text of textsIn(settings)) {
    const user = directory.users.get(normalizeEmail(text));
    if (user !== undefined) users.set(user.email, user.id);
    const team = directory.findTeam(text);
    if (team !== undefined) teams.set(team.name, team.id);
  }
  return { users: Object.fromEntries(users), teams: Object.fromEntries(teams) };
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) yield* textsIn(each);
  }
}
