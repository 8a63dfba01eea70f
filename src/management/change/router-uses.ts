import { withContent, type RouterEntity } from '../../routers/index.js';

/** Settings of a router in the form in which they are stored, or a part of them. */
export type SettingsPart = Readonly<Record<string, unknown>>;

/** A part of a router that takes records: the router itself, a rule, or a step of either. */
export interface RouterPart {
  /** What it is called, such as `rule VIP`; empty for the router itself. */
  readonly name: string;
  readonly part: SettingsPart;
}

/** Returns the parts of stored settings, the settings themselves first. */
export function routerParts(settings: SettingsPart | null): RouterPart[] {
  if (settings === null) return [];
  const rules = partsIn(settings['rules']).map((part) => ({ name: `rule ${text(part['name'])}`, part }));
  return [{ name: '', part: settings }, ...rules].flatMap((whole) => [
    whole,
    ...partsIn(whole.part['steps']).map((part, index) => ({
      name: `${whole.name} step ${index + 1}`.trim(),
      part,
    })),
  ]);
}

/** Returns the ids of the teams that a part lists. */
export function teamsOf({ part }: RouterPart): string[] {
  return partsIn(part['teams']).map(({ teamId }) => text(teamId));
}

/** Returns the conditions of the trigger of a part. */
export function conditionsOf({ part }: RouterPart): SettingsPart[] {
  const [trigger = {}] = partsIn([part['trigger']]);
  return partsIn(trigger['groups']).flatMap(({ conditions }) => partsIn(conditions));
}

function partsIn(value: unknown): SettingsPart[] {
  if (!Array.isArray(value)) return [];
  return value.filter((each): each is SettingsPart => typeof each === 'object' && each !== null);
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Something that a router names. */
export interface Use {
  /** Of what is named. */
  readonly key: string;
  /** Such as `the router Inbound (rule VIP)`. */
  readonly text: string;
}

/**
 * Finds uses in what is live of routers, and in their drafts, in one pass.
 * @returns the texts by key; each text is there once
 */
export function usesInRouters(
  routers: readonly RouterEntity[],
  find: (content: RouterEntity) => readonly Use[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const uses = new Map<string, Set<string>>();
  for (const router of routers) {
    for (const { key, text } of contentsOf(router).flatMap(find)) {
      uses.set(key, (uses.get(key) ?? new Set()).add(text));
    }
  }
  return uses;
}

/** Returns what is live of a router, and its draft. */
export function contentsOf(router: RouterEntity): readonly RouterEntity[] {
  const { draft = null } = router;
  return draft === null ? [router] : [router, withContent(router, draft)];
}
