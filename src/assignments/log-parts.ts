import { LEAST_ID, onCluster, unknownWhenPlanned } from '../database/index.js';
import { dayOf, KIND_OF_ENTRY } from './assignments.sql.js';

/** A filter by an id, and its column. */
const FILTERS = { router: 'router_id', object: 'object_id', user: 'user_id' } as const;
export type AssignmentFilter = keyof typeof FILTERS;

/** The filters of a statement on the log. There is one statement for each combination. */
export interface LogForm {
  readonly filters: readonly AssignmentFilter[];
  /** Whether reasons, rule or step are wanted. */
  readonly byKind: boolean;
  /** Whether there is a first or a last instant. */
  readonly isTimed: boolean;
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

/** The place of the first value of the filters (`valuesOf`). Three are those of the statement itself. */
const FIRST = 4;

/** The parts of which statements on the log are made, for the filters of one. */
export class LogParts {
  /** A name for the filters. */
  readonly name: string;
  /** Whether all is counted from entries: the counts do not know records, and the entries of one are few. */
  readonly isByObject: boolean;
  /** The bounds of ids, where the statement has them. */
  readonly bounds: { readonly from: string; readonly to: string } | undefined;
  private readonly kindAt: number;
  private readonly timeAt: number;

  constructor(private readonly form: LogForm) {
    const { filters, byKind, isTimed } = form;
    this.name = [...filters, ...(byKind ? ['kind'] : []), ...(isTimed ? ['timed'] : [])].join('_');
    this.isByObject = filters.includes('object');
    this.kindAt = FIRST + filters.length;
    this.timeAt = this.kindAt + (byKind ? 4 : 0);
    this.bounds = isTimed ? { from: `$${this.timeAt}::uuid`, to: `$${this.timeAt + 1}::uuid` } : undefined;
  }

  /**
   * The beginning of each statement. It says the types of all values: PostgreSQL does not guess that of one
   * which the rest does not need.
   */
  get start(): string {
    const types = this.form.isTimed ? ['uuid', 'uuid', 'int', 'int', 'uuid[]', 'uuid[]'] : [];
    const typed = types.map((type, n) => `, $${this.timeAt + n}::${type}`).join('');
    return `WITH given AS (SELECT $2::bigint${typed})`;
  }

  /** The condition for entries `a`, or for counts `d`. */
  where(table: 'a' | 'd'): string {
    const ids = this.form.filters.map((filter, index) => {
      const condition = `${table}.${FILTERS[filter]} = $${FIRST + index}`;
      // For a test of a condition no index is of use, so that the one of records is left.
      return this.isByObject && filter !== 'object' ? `(${condition}) IS TRUE` : condition;
    });
    return [`${table}.account_id = ${ACCOUNT}`, ...ids, ...this.ofKind(table)].join(' AND ');
  }

  /** The counts of all that match, by day and kind. @param days `all`: as one, where it is of all times */
  counts(days: 'each' | 'all'): string {
    const ofEntry = `SELECT ${dayOf('a.id')} AS day, ${KIND_OF_ENTRY}, 1 AS entries`;
    const between = this.bounds && ` AND a.id >= ${this.bounds.from} AND a.id < ${this.bounds.to}`;
    if (this.isByObject) return `${ofEntry} FROM assignments a WHERE ${this.where('a')}${between ?? ''}`;
    const at = (n: number): string => `$${this.timeAt + n}`;
    const kept = (day: string): string =>
      `SELECT d.day, d.router_id, d.rule, d.step, d.user_id, d.reason, d.entries
        FROM assignment_days d WHERE ${this.where('d')} AND ${day}`;
    if (!this.form.isTimed) return kept(days === 'all' ? `d.day = 'infinity'` : `d.day < 'infinity'`);
    const day = (n: number): string => `date '1970-01-01' + ${at(n)}::int`;
    return `${kept(`d.day >= ${day(2)} AND d.day < ${day(3)}`)}
      UNION ALL ${ofEntry} FROM unnest(${at(4)}::uuid[], ${at(5)}::uuid[]) AS cut (first, past)
        CROSS JOIN LATERAL (${this.scan('cut.first', 'cut.past', ALL)}) AS a`;
  }

  /** The ids of the newest $2 entries that match below an id, behind `skipped` ones. */
  page(to: string, skipped: string): string {
    const { byKind, filters } = this.form;
    const newest = (from: string): string =>
      `SELECT a.id FROM ${from} ORDER BY a.id DESC LIMIT ${unknownWhenPlanned('$2::bigint')} OFFSET ${skipped}`;
    if (!byKind || this.isByObject) {
      const since = this.bounds === undefined ? '' : ` AND a.id >= ${this.bounds.from}`;
      return newest(`assignments a WHERE ${this.where('a')} AND a.id < ${to}${since}`);
    }
    const from = this.bounds?.from ?? `'${LEAST_ID}'::uuid`;
    const most = `$2::bigint + ${skipped}`;
    if (filters.includes('user')) {
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

  /** The newest entries that match from one id to below another. */
  private scan(from: string, to: string, most: string): string {
    return `SELECT a.* FROM assignments a WHERE ${this.where('a')} AND a.id >= ${from} AND a.id < ${to}
      ORDER BY a.id DESC LIMIT ${unknownWhenPlanned(most)}`;
  }

  /** Reasons that are wanted or null for all, others that are not, a rule and a step, each null for any. */
  private ofKind(table: 'a' | 'd'): string[] {
    if (!this.form.byKind) return [];
    const [reasons, others, rule, step] = [0, 1, 2, 3].map((n) => `$${this.kindAt + n}`);
    const [ruleOf, stepOf] = table === 'a' ? KIND_KEY.slice(-2) : ['d.rule', 'd.step'];
    return [
      `((${reasons}::text[] IS NULL OR ${table}.reason = ANY (${reasons}))`,
      `${table}.reason <> ALL (${others}::text[])`,
      `(${rule}::text IS NULL OR ${ruleOf} = ${rule})`,
      `(${step}::smallint IS NULL OR ${stepOf} = ${step})) IS TRUE`,
    ];
  }
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
