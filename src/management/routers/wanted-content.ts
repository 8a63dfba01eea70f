import type { Directory } from '../../directory/index.js';
import type { ObjectType } from '../../fields/index.js';
import {
  shownSettings,
  type RouterContent,
  type FlatSettings,
  type RouterDto,
  type RouterTeam,
  type RouterUser,
} from '../../routers/index.js';
import { shownName } from '../../text/shown-name.js';
import { mentioned, type Refuse } from '../change/configuration-change.js';

/** What a file or a request says of a router. What it leaves out stays. */
export type RouterKeys = Partial<Pick<RouterDto, 'name' | 'object_type' | 'settings' | 'users' | 'teams'>>;

/** Keys of a router, and what they change; undefined for a new router. */
export interface WantedRouter {
  readonly keys: RouterKeys;
  readonly base: RouterContent | undefined;
  readonly objectType: ObjectType;
}

/** A content of which the settings are not stored yet: they have names. */
export type WantedContent = Omit<RouterContent, 'settings'> & { readonly settings: FlatSettings | null };

/**
 * Returns the content that keys make of a base, with names resolved to ids and settings merged key by key,
 * not validated yet, and whether all names are known. Unknown ones are left out.
 */
export function wantedContent(
  refuse: Refuse,
  wanted: WantedRouter,
  directory: Directory,
): { content: WantedContent; isComplete: boolean } {
  const { keys, base } = wanted;
  let isComplete = true;
  const report: Refuse = (key, message) => {
    isComplete = false;
    refuse(key, message);
  };
  const users = keys.users?.flatMap(({ email, ...share }, index): RouterUser[] => {
    const userId = directory.withEmail(email)?.id;
    if (userId !== undefined) return [{ userId, ...mentioned(share) }];
    report(`users[${index}].email`, `${shownName(email)} is not a user of the account`);
    return [];
  });
  const teams = keys.teams?.flatMap(({ name, ...share }, index): RouterTeam[] => {
    const teamId = directory.findTeam(name)?.id;
    if (teamId !== undefined) return [{ teamId, ...mentioned(share) }];
    report(`teams[${index}].name`, `${shownName(name)} is not a team of the account`);
    return [];
  });
  // One without settings assigns nobody anyway.
  if (keys.users?.length === 0 && keys.teams?.length === 0 && keys.settings !== null) {
    report('users', 'users and teams list nobody: leave them out for a router without a pool');
  }
  const content = {
    name: keys.name ?? base?.name ?? '',
    settings: wantedSettings(wanted, directory),
    users: users ?? base?.users ?? [],
    teams: teams ?? base?.teams ?? [],
  };
  return { content, isComplete };
}

function wantedSettings({ keys, base, objectType }: WantedRouter, directory: Directory): FlatSettings | null {
  const { settings } = keys;
  const before = base?.settings ?? null;
  if (settings === null || (settings === undefined && before === null)) return null;
  return { ...shownSettings({ objectType, settings: before }, directory), ...settings };
}
