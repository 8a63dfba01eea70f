import type { ReportIssue } from '../../engine/model/field-issue.js';
import type { RouterPart } from '../../engine/model/router-configuration.js';
import { isEmptyPool } from '../../engine/rules/rule-pool.js';
import { isEmail, readArray, readObject, type PlacedValue } from '../../engine/trigger/read-values.js';
import type { CheckCondition } from '../../engine/trigger/parse-trigger.js';
import type { ObjectType } from '../../fields/index.js';
import { nameKey } from '../../text/canonical-text.js';
import { normalizeEmail } from '../../text/email-key.js';
import { shownName } from '../../text/shown-name.js';

/** What reading is done by. */
export interface Reading {
  readonly objectType: ObjectType;
  readonly report: ReportIssue;
  /** Receives every condition of the right form. */
  readonly check: CheckCondition;
  /** The ids of the models that are registered; undefined for any. */
  readonly models?: readonly string[];
  /** True for settings as they are stored: they may have what cannot be configured. */
  readonly isStored?: true;
  /** Names (`nameKey`) of rules that may list nobody, because they do so already. */
  readonly emptyRules?: ReadonlySet<string> | undefined;
}

/** Settings of one place by their names in code. Those that are left out or wrong are not there. */
export type ReadKeys = Readonly<Record<string, unknown>>;

/** The keys that say who gets a record, by their names in code. */
const POOL_KEYS = {
  users: 'users',
  teams: 'teams',
  steps: 'steps',
  distributionModel: 'distribution_model',
  rotationType: 'rotation_type',
};

/** What to do about a part that lists nobody. */
const LISTS_NOBODY = {
  rule: "The rule lists nobody: leave out users and teams for the router's pool, or set refuse to true",
  step: 'The step lists nobody: leave out users and teams for the pool that it follows',
};

/** A user or team that a rule or step lists. */
interface Member {
  readonly percentage?: number;
}

/** A rule or step of which each key was read by itself. */
type ReadPart = Partial<RouterPart> & { readonly refuse?: boolean };

/** How the items of a list are read. */
interface PartReader {
  readonly what: 'rule' | 'step';
  /** Reads the keys of one; null for what is no object. */
  readonly readKeys: (at: PlacedValue) => ReadKeys | null;
}

/**
 * Reads a list of rules or steps, and reports every value of the wrong form. Does not check whether users and
 * teams exist.
 */
export function readParts(
  place: PlacedValue,
  reading: Reading,
  { what, readKeys }: PartReader,
): readonly RouterPart[] {
  const { report, isStored, emptyRules } = reading;
  const [ids, names] = [new Set<string>(), new Set<string>()];
  const once = (known: Set<string>, key: string, { value: name, path }: PlacedValue): void => {
    if (key !== '' && known.has(key)) report(path, `Listed twice: ${shownName(String(name))}`);
    known.add(key);
  };
  return readArray(place, report).flatMap((item, index): RouterPart[] => {
    const path = `${place.path}[${index}]`;
    const keys = readKeys({ value: item, path });
    if (keys === null) return [];
    const { refuse = false, ...read }: ReadPart = keys;
    const { id, name, users, teams } = read;
    once(names, nameKey(name ?? ''), { value: name, path: `${path}.name` });
    once(ids, id ?? '', { value: id, path: `${path}.id` });
    const part = { users: [], teams: [], ...read };
    const listsNobody = (users ?? teams) !== undefined && isEmptyPool(part);
    for (const [key, shown] of Object.entries(POOL_KEYS)) {
      if (!refuse || keys[key] === undefined) continue;
      report(`${path}.${shown}`, `A rule with refuse assigns nobody, so it takes no ${shown}`);
    }
    const isKnown = isStored === true || (what === 'rule' && emptyRules?.has(nameKey(name ?? '')) === true);
    if (!refuse && listsNobody && !isKnown) {
      report(`${path}.${users === undefined ? 'teams' : 'users'}`, LISTS_NOBODY[what]);
    }
    return [{ ...part, ...(refuse && { refuse }), ...(listsNobody && { listsNobody }) }];
  });
}

/**
 * Reads the users or teams that a rule or step lists, and reports every value of the wrong form.
 * @param key the key that names a member
 * @returns an entry for each item; undefined for what is no list
 */
export function readMembers(
  place: PlacedValue,
  key: 'email' | 'name',
  { report, isStored }: Reading,
): readonly Member[] | undefined {
  const items = readArray(place, report);
  if (!Array.isArray(place.value)) return undefined;
  return items.map((item, index): Member => {
    const path = `${place.path}[${index}]`;
    const values = readObject({ value: item, path }, [key, 'percentage'], report);
    if (values === null) return {};
    const given = values.get(key);
    const text = typeof given === 'string' ? given.trim() : '';
    if (isStored !== true && (key === 'email' ? !isEmail(text) : text === '')) {
      report(
        `${path}.${key}`,
        `${key} must be ${key === 'email' ? 'the e-mail of a user' : 'the name of a team'}`,
      );
    }
    const percentage = values.get('percentage');
    if (percentage !== undefined && typeof percentage !== 'number') {
      report(`${path}.percentage`, 'percentage must be a number from 0 to 100 with at most 4 decimals');
    }
    const named = key === 'email' ? { email: normalizeEmail(text) } : { name: text };
    return { ...named, ...(typeof percentage === 'number' ? { percentage } : {}) };
  });
}
