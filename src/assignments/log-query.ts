import { firstIdAt, GREATEST_ID, LEAST_ID, onCluster, unknownWhenPlanned } from '../database/index.js';
import { REFUSALS } from '../engine/index.js';
import { dayOf, KIND_OF_ENTRY } from './assignments.sql.js';

/** A filter by an id, and its column. */
const FILTERS = { router: 'router_id', object: 'object_id', user: 'user_id' } as const;
export type AssignmentFilter = keyof typeof FILTERS;

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

/** The account $1, which PostgreSQL must not take for one with few entries, as old statistics may say. */
export const ACCOUNT = unknownWhenPlanned('$1::uuid');

/** Less than any id that is made on a day. Ids begin with the milliseconds of their instant. */
export const firstIdOf = (day: string): string =>
  `(lpad(to_hex((${day} - date '1970-01-01')::bigint * 86400000), 12, '0') || repeat('0', 20))::uuid`;

/** The columns of `assignments_kind_idx` before the id. They tell kinds apart, but for users. */
const KIND_KEY = [
  'a.account_id',
  'a.router_id',
  'a.reason',
  `COALESCE(a.rule, '')`,
  'COALESCE(a.step, 0::smallint)',
];

/** More than there are. With a limit, the order of an index has a worth for the planner (ADR 35). */
const ALL = '9223372036854775807::bigint';

export const REFUSED = Object.keys(REFUSALS);
/** Reasons of assignments that no pool makes. */
const WITHOUT_POOL = ['account_matched', 'default_user'];

const DAY = 86_400_000;
/** Later than any day that has entries. */
const NO_DAY = 3_000_000;

/**
 * The parts of which statements on the log are made, and the values of their parameters: $1 the account, $2
 * the most rows, $3 what the statement wants else, and then those of a selection. There is one statement for
 * each combination of what is selected, so that each is planned for its own index.
 */
export class LogQuery {
  readonly values: unknown[];
  /** Whether all is counted from entries: the counts do not know records, and the entries of one are few. */
  readonly isByObject: boolean;
  /** The bounds of ids, where the statement has them. */
  readonly bounds: { readonly from: string; readonly to: string } | undefined;
  private readonly filters: ReadonlyMap<AssignmentFilter, string>;
  /** The places of `kindValues` and of `timeValues`; none without a kind or a range. */
  private readonly kind: readonly string[];
  private readonly times: readonly string[];

  constructor({ filters, kind, range }: LogSelection, own: readonly [string, number, unknown]) {
    this.values = [...own];
    const add = (value: unknown): string => `$${this.values.push(value)}`;
    this.filters = new Map([...filters].map(([filter, id]) => [filter, add(id)]));
    this.kind = kind === undefined ? [] : kindValues(kind).map(add);
    this.times = range === undefined ? [] : timeValues(range).map(add);
    this.isByObject = filters.has('object');
    const [from, to] = this.times;
    this.bounds = range && { from: `${from}::uuid`, to: `${to}::uuid` };
  }

  /** The name of a statement. @param of what it does, and how */
  name(...of: readonly string[]): string {
    const isTimed = this.times.length > 0;
    const selected = [...this.filters.keys(), this.kind.length > 0 && 'kind', isTimed && 'timed'];
    return [...of, ...selected].filter(Boolean).join('_');
  }

  /** The beginning of each statement: the types of all values, which PostgreSQL does not guess. */
  get start(): string {
    const types = ['uuid', 'uuid', 'int', 'int', 'uuid[]', 'uuid[]'];
    const typed = this.times.map((time, n) => `, ${time}::${types[n]}`).join('');
    return `WITH given AS (SELECT $2::bigint${typed})`;
  }

  /** The counts of all that match, by day and kind. @param days `all`: as one, where it is of all times */
  counts(days: 'each' | 'all'): string {
    const ofEntry = `SELECT ${dayOf('a.id')} AS day, ${KIND_OF_ENTRY}, 1 AS entries`;
    const between = this.bounds && ` AND a.id >= ${this.bounds.from} AND a.id < ${this.bounds.to}`;
    if (this.isByObject) return `${ofEntry} FROM assignments a WHERE ${this.where('a')}${between ?? ''}`;
    const kept = (day: string): string =>
      `SELECT d.day, d.router_id, d.rule, d.step, d.user_id, d.reason, d.entries
        FROM assignment_days d WHERE ${this.where('d')} AND ${day}`;
    if (this.bounds === undefined) return kept(days === 'all' ? `d.day = 'infinity'` : `d.day < 'infinity'`);
    const [, , first, past, starts, pasts] = this.times;
    const day = (number = ''): string => `date '1970-01-01' + ${number}::int`;
    return `${kept(`d.day >= ${day(first)} AND d.day < ${day(past)}`)}
      UNION ALL ${ofEntry} FROM unnest(${starts}::uuid[], ${pasts}::uuid[]) AS cut (first, past)
        CROSS JOIN LATERAL (${this.scan('cut.first', 'cut.past', ALL)}) AS a`;
  }

  /** The ids of the newest $2 entries that match below an id, behind `skipped` ones. */
  page(to: string, skipped: string): string {
    const newest = (from: string): string =>
      `SELECT a.id FROM ${from} ORDER BY a.id DESC LIMIT ${unknownWhenPlanned('$2::bigint')} OFFSET ${skipped}`;
    if (this.kind.length === 0 || this.isByObject) {
      const since = this.bounds === undefined ? '' : ` AND a.id >= ${this.bounds.from}`;
      return newest(`assignments a WHERE ${this.where('a')} AND a.id < ${to}${since}`);
    }
    const from = this.bounds?.from ?? `'${LEAST_ID}'::uuid`;
    const most = `$2::bigint + ${skipped}`;
    if (this.filters.has('user')) {
      const days = `SELECT DISTINCT d.day FROM assignment_days d WHERE ${this.where('d')} AND d.day < 'infinity'
        AND d.day BETWEEN ${dayOf(from)} AND ${dayOf(to)} ORDER BY d.day DESC LIMIT ${most} + 1`;
      const [first, past] = [
        `GREATEST(${firstIdOf('d.day')}, ${from})`,
        `LEAST(${firstIdOf('d.day + 1')}, ${to})`,
      ];
      return newest(`(${days}) AS d CROSS JOIN LATERAL (${this.scan(first, past, most)}) AS a`);
    }
    const kinds = `SELECT DISTINCT d.router_id, d.reason, d.rule, d.step FROM assignment_days d
        WHERE ${this.where('d')} AND d.day = 'infinity'`;
    const kind = [ACCOUNT, 'd.router_id', 'd.reason', 'd.rule', 'd.step'];
    const scan = `SELECT a.id FROM assignments a WHERE ${between(KIND_KEY, kind, [from, to])} LIMIT ${most}`;
    return newest(`(${kinds}) AS d CROSS JOIN LATERAL (${scan}) AS a`);
  }

  /** The condition for entries `a`, or for counts `d`. */
  private where(table: 'a' | 'd'): string {
    const ids = [...this.filters].map(([filter, place]) => {
      const condition = `${table}.${FILTERS[filter]} = ${place}`;
      // For a test of a condition no index is of use, so that the one of records is left.
      return this.isByObject && filter !== 'object' ? `(${condition}) IS TRUE` : condition;
    });
    return [`${table}.account_id = ${ACCOUNT}`, ...ids, ...this.ofKind(table)].join(' AND ');
  }

  /** The newest entries that match from one id to below another. */
  private scan(from: string, to: string, most: string): string {
    return `SELECT a.* FROM assignments a WHERE ${this.where('a')} AND a.id >= ${from} AND a.id < ${to}
      ORDER BY a.id DESC LIMIT ${unknownWhenPlanned(most)}`;
  }

  private ofKind(table: 'a' | 'd'): string[] {
    const [reasons, others, rule, step] = this.kind;
    if (reasons === undefined) return [];
    const [ruleOf, stepOf] = table === 'a' ? KIND_KEY.slice(-2) : ['d.rule', 'd.step'];
    return [
      `((${reasons}::text[] IS NULL OR ${table}.reason = ANY (${reasons}))`,
      `${table}.reason <> ALL (${others}::text[])`,
      `(${rule}::text IS NULL OR ${ruleOf} = ${rule})`,
      `(${step}::smallint IS NULL OR ${stepOf} = ${step})) IS TRUE`,
    ];
  }
}

/** Reasons that are wanted or null for all, others that are not, a rule and a step, each null for any. */
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

/**
 * The condition for a key of an index and ids from one to below another, with the order of the index, so that
 * no other is of use (ADR 35).
 */
function between(
  columns: readonly string[],
  values: readonly string[],
  [from, to]: readonly string[],
): string {
  const key = [...columns, 'a.id'].join(', ');
  const order = [...columns, 'a.id'].map((column) => `${column} DESC`).join(', ');
  return `${onCluster(`a.account_id = ${ACCOUNT} AND`)} (${key}) >= (${[...values, from].join(', ')}) AND (${key}) < (${[...values, to].join(', ')}) ORDER BY ${order}`;
}
