import type { Directory } from '../../directory/index.js';
import {
  configurableSettings,
  type RouterContent,
  type RouterDto,
  type RouterTeam,
  type RouterUser,
} from '../../routers/index.js';
import { mentioned, type Refuse } from '../change/configuration-change.js';

/** What a file or a request says of a router. What it leaves out stays. */
export type RouterKeys = Partial<Pick<RouterDto, 'name' | 'object_type' | 'settings' | 'users' | 'teams'>>;

/** Keys of a router, and what they change; undefined for a new router. */
export interface WantedRouter {
  readonly keys: RouterKeys;
  readonly base: RouterContent | undefined;
}

/**
 * Returns the content that keys make of a base, with names resolved to ids and settings merged key by key, not
 * validated yet; undefined when a name is unknown.
 */
export function wantedContent(
  refuse: Refuse,
  { keys, base }: WantedRouter,
  directory: Directory,
): RouterContent | undefined {
  let refused = 0;
  const report: Refuse = (key, message) => {
    refused += 1;
    refuse(key, message);
  };
  const users = keys.users?.map(({ email, ...share }, index): RouterUser => {
    const userId = directory.users.get(email)?.id;
    if (userId === undefined) report(`users[${index}].email`, `${email} is not a user of the account`);
    return { userId: userId ?? '', ...mentioned(share) };
  });
  const teams = keys.teams?.map(({ name, ...share }, index): RouterTeam => {
    const teamId = directory.findTeam(name)?.id;
    if (teamId === undefined) report(`teams[${index}].name`, `${name} is not a team of the account`);
    return { teamId: teamId ?? '', ...mentioned(share) };
  });
  // One without settings assigns nobody anyway.
  if (users?.length === 0 && teams?.length === 0 && keys.settings !== null) {
    report('users', 'users and teams list nobody: leave them out for a router without a pool');
  }
  if (refused > 0) return undefined;
  return {
    name: keys.name ?? base?.name ?? '',
    settings: wantedSettings({ keys, base }),
    users: users ?? base?.users ?? [],
    teams: teams ?? base?.teams ?? [],
  };
}

function wantedSettings({ keys: { settings }, base }: WantedRouter): Record<string, unknown> | null {
  const before = base?.settings ?? null;
  if (settings === null || (settings === undefined && before === null)) return null;
  return { ...configurableSettings(before), ...settings };
}
