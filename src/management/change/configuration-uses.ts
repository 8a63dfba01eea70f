import { Injectable } from '@nestjs/common';
import { CapacitiesRepository, type CapacityEntity, type CapacityValues } from '../../capacities/index.js';
import type { Trigger } from '../../engine/index.js';
import type { FieldDefinition } from '../../fields/index.js';
import { partsOf, RoutersRepository, withContent, type RouterEntity } from '../../routers/index.js';
import { nameKey } from '../../text/canonical-text.js';
import type { ConfigurationChange } from './configuration-change.js';

/** What identifies a field. */
type FieldName = Pick<FieldDefinition, 'objectType' | 'internalName'>;

/** Returns the key of the uses of a field, which is also what messages call it: `contacts.region`. */
export function fieldKey({ objectType, internalName }: FieldName): string {
  return `${objectType}.${internalName}`;
}

/** Returns the key of the uses of an option of a field. */
export function optionKey(field: FieldName, option: string): string {
  return `${fieldKey(field)} ${nameKey(option)}`;
}

/**
 * Returns the texts of what names something, such as `the router Inbound (rule VIP)`, each once: of a team by
 * its id, of a field by `fieldKey`, of an option by `optionKey`.
 */
export type UsesOf = (key: string) => string[];

/** Finds what the configuration of an account names. */
@Injectable()
export class ConfigurationUses {
  constructor(
    private readonly routers: RoutersRepository,
    private readonly capacities: CapacitiesRepository,
  ) {}

  /** Looks at what is live of routers, at their drafts and at capacities, once for all that is asked for. */
  async load({ tx, account }: ConfigurationChange): Promise<UsesOf> {
    const routers = await this.routers.listWithDrafts(tx, account);
    return usesIn(routers.flatMap(contentsOf), await this.capacities.list(tx, account));
  }
}

/** Returns what is live of a router, and its draft. */
export function contentsOf(router: RouterEntity): readonly RouterEntity[] {
  const { draft = null } = router;
  return draft === null ? [router] : [router, withContent(router, draft)];
}

/** Settings as they are stored, or a rule or step of them. */
interface StoredPart {
  readonly name: string;
  readonly teams?: CapacityTeams;
  readonly trigger?: Trigger | null;
}

type CapacityTeams = readonly Pick<CapacityEntity['teams'][number], 'teamId'>[];

/** Returns the uses by contents of routers and by capacities. */
export function usesIn(
  routers: readonly Pick<RouterEntity, 'name' | 'objectType' | 'settings' | 'teams'>[],
  capacities: readonly Omit<CapacityValues & Pick<CapacityEntity, 'name'>, 'users'>[],
): UsesOf {
  const uses = new Map<string, Set<string>>();
  const note = (text: string, ...keys: readonly string[]): void => {
    for (const key of keys) uses.set(key, (uses.get(key) ?? new Set()).add(text));
  };
  const noteValues = (text: string, field: FieldName, values: readonly unknown[]): void => {
    const options = values.flatMap((value) => (typeof value === 'string' ? [optionKey(field, value)] : []));
    note(text, fieldKey(field), ...options);
  };
  for (const { name, objectType, settings, teams } of routers) {
    const router = `the router ${name}`;
    note(router, ...idsOf(teams));
    const owner = settings?.['owner_field'];
    if (typeof owner === 'string')
      noteValues(`${router} (owner_field)`, { objectType, internalName: owner }, []);
    for (const [is, { teams: listed = [], trigger }] of partsOfSettings(settings ?? {})) {
      note(`${router} (${is})`, ...idsOf(listed));
      for (const { field, value } of trigger?.groups.flatMap(({ conditions }) => conditions) ?? [])
        noteValues(`${router} (${is})`, { objectType, internalName: field }, [value].flat());
    }
  }
  for (const { name, objectType, field, values, teams } of capacities) {
    noteValues(`the capacity ${name}`, { objectType, internalName: field }, values);
    note(`the capacity ${name}`, ...idsOf(teams));
  }
  return (key) => [...(uses.get(key) ?? [])];
}

const idsOf = (teams: CapacityTeams): string[] => teams.map(({ teamId }) => teamId);

/** Returns settings, their rules and their steps, each with what messages call it. */
function partsOfSettings(settings: object): [string, StoredPart][] {
  const parts = partsOf<StoredPart>(settings).map(({ part, path, place, rule }): [string, StoredPart] => {
    if (rule !== undefined) return [`rule ${rule.name} step ${place}`, part];
    return [path.startsWith('settings.rules') ? `rule ${part.name}` : `step ${place}`, part];
  });
  return [['trigger', settings as StoredPart], ...parts];
}
