import { firstIdAt, GREATEST_ID } from '../database/index.js';
import { REFUSALS } from '../engine/index.js';
import type { AssignmentFilter, LogForm } from './log-parts.js';

/** Selects entries of the log. */
export interface LogSelection {
  /** The ids by which the log is filtered. */
  readonly filters: ReadonlyMap<AssignmentFilter, string>;
  readonly kind?: EntryKind | undefined;
  /** Those whose ids were made from an instant on and before another one. */
  readonly range?: { readonly from?: Date | undefined; readonly to?: Date | undefined } | undefined;
}

/** What an entry says beside whom and what it is about. */
export interface EntryKind {
  readonly reason?: string | undefined;
  /** Whether somebody has the record by it: also the present owner. */
  readonly assigned?: boolean | undefined;
  readonly rule?: string | undefined;
  /** The place of the step that has decided. */
  readonly step?: number | undefined;
}

export const REFUSED = Object.keys(REFUSALS);
/** Reasons of assignments that no pool makes. */
const WITHOUT_POOL = ['account_matched', 'default_user'];

const DAY = 86_400_000;
/** Later than any day that has entries. */
const NO_DAY = 3_000_000;

export function formOf({ filters, kind, range }: LogSelection): LogForm {
  return { filters: [...filters.keys()], byKind: kind !== undefined, isTimed: range !== undefined };
}

/** The values of the filters in a statement: see `LogParts`. */
export function valuesOf({ filters, kind, range }: LogSelection): unknown[] {
  return [...filters.values(), ...(kind ? kindValues(kind) : []), ...(range ? timeValues(range) : [])];
}

function kindValues({ reason, assigned, rule, step }: EntryKind): unknown[] {
  const wanted = [...(reason === undefined ? [] : [[reason]]), ...(assigned === false ? [REFUSED] : [])];
  const reasons = wanted.reduce((all, some) => all.filter((each) => some.includes(each)), wanted[0] ?? []);
  // Counts have 0 for the own pool and for none. A present owner may have been chosen by either.
  const poolless = step === undefined ? [] : [...REFUSED, ...WITHOUT_POOL];
  const others = assigned === true ? [...REFUSED, ...poolless] : poolless;
  return [wanted.length > 0 ? reasons : null, others, rule ?? null, step ?? null];
}

/**
 * The first id, the first one behind; of the whole days among them the first, and the first behind, in days
 * since 1970; and the first ids of the parts of days at the ends, and those behind.
 */
function timeValues({ from, to }: NonNullable<LogSelection['range']>): unknown[] {
  const start = Math.max(0, from?.getTime() ?? 0);
  const end = to?.getTime() ?? Infinity;
  const first = Math.ceil(start / DAY);
  const last = Math.floor(end / DAY);
  const ends = first > last ? [[start, end]] : [[start, first * DAY], [last * DAY, end]]; // prettier-ignore
  const cuts = ends.filter(([one = 0, other = 0]) => one < other);
  const idAt = (time = 0): string => (time === Infinity ? GREATEST_ID : firstIdAt(new Date(time)));
  const [starts, pasts] = [0, 1].map((side) => cuts.map((cut) => idAt(cut[side])));
  return [idAt(start), idAt(end), first, Math.max(0, Math.min(last, NO_DAY)), starts, pasts];
}
