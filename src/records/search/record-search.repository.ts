import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { OUTDATED } from '../../configuration/index.js';
import { errorCode, LEAST_ID, type Database, type Transaction } from '../../database/index.js';
import { countStatement } from '../record-view.statements.js';
import { CHANGED } from '../indexes/record-indexes.repository.js';
import type { StoredOwner } from './condition.js';
import type { CompiledSearch } from './compiled-search.js';
import { foundViews, type ViewsQuery } from './found-views.js';
import type { Chances, SearchPath } from './path-choice.js';
import type { Found } from './search-query.js';
import { LIMIT_SEARCH } from './search.statements.js';
import { SearchTooLongError } from './search-too-long.error.js';
import type { Composed } from './sql-values.js';
import type { SortValue } from './sort-sql.js';

/** Records that are read at a time to be evaluated by the engine. */
const BATCH = 1_000;

const QUERY_CANCELED = '57014';

/** Which part of what is found a search returns. */
export interface SearchPage extends Omit<ViewsQuery, 'ids'> {
  readonly limit: number;
  /** The place behind which the page starts. */
  readonly after: readonly SortValue[] | undefined;
  readonly counts: boolean;
  /** Of the configuration that the search was read by. */
  readonly version: string;
}

/** A page of what is found. */
export interface SearchResult {
  /** The views of the records as JSON. */
  readonly views: readonly string[];
  /**
   * The places of what is found, in the same order: of more records than there are views where others follow.
   */
  readonly places: readonly (readonly SortValue[])[];
  readonly count: number | undefined;
  /** Whether the index of `last_modified_date` could have been used and is not ready. */
  readonly lacksChanged: boolean;
}

interface Row extends Found {
  readonly saw: readonly (string | null)[] | null;
}

/** Searches records, in one snapshot. */
@Injectable()
export class RecordSearchRepository {
  /** Milliseconds that the statements of a search may take together. */
  mostTime = 2_000;

  /**
   * Returns a page. OUTDATED where the filter names users and the configuration has another version: they may
   * have other e-mails.
   * @throws SearchTooLongError
   */
  async search(
    db: Database,
    account: AccountContext,
    { search, page }: { readonly search: CompiledSearch; readonly page: SearchPage },
  ): Promise<SearchResult | typeof OUTDATED> {
    const { limit, after, counts, version, ...shown } = page;
    let lacksChanged = false;
    const work = async (tx: Transaction): Promise<SearchResult | typeof OUTDATED> => {
      const limited = new LimitedTime(tx, { account, version }, this.mostTime);
      const place = { after, most: limit + 1 };
      let path = search.directPath();
      let found = path === undefined ? [] : await findPage(limited, { search, path }, place);
      if (path === undefined || found.length === 0) {
        const { chances, owners } = await findChances(limited, search);
        const isReady = search.indexed.every((field) => chances?.ready?.[field] !== undefined);
        lacksChanged = search.indexed.includes(CHANGED) && chances?.ready?.[CHANGED] === undefined;
        if (path === undefined || !isReady) {
          path = search.path(chances, owners);
          found = await findPage(limited, { search, path }, place);
        }
      }
      if (search.namesUsers && !(await limited.isCurrent)) return OUTDATED;
      const count = counts ? await countAll(limited, account, { search, path }) : undefined;
      const ids = found.slice(0, limit).map(({ id }) => id);
      const { found: viewed } = await foundViews(tx, account, { ...shown, ids });
      const views = viewed.map(({ view }) => view);
      return { views, places: found.map(({ at }) => at), count, lacksChanged };
    };
    try {
      return await db.transaction(work, { isolation: 'REPEATABLE READ', readOnly: true, eager: true });
    } catch (error) {
      throw error instanceof TimeIsUp || errorCode(error) === QUERY_CANCELED
        ? new SearchTooLongError(lacksChanged)
        : error;
    }
  }
}

/** A search, and how it finds its records. */
interface Searching {
  readonly search: CompiledSearch;
  readonly path: SearchPath;
}

/** No time is left for another statement. */
class TimeIsUp extends Error {}

/** Milliseconds after which a search gives back the event loop. */
const SLICE = 5;

/** Does the work of a search while there is time. */
class LimitedTime {
  private readonly end: number;
  /** Whether the configuration still has the version. Statements are limited when this is known. */
  readonly isCurrent: Promise<boolean>;

  constructor(
    readonly tx: Transaction,
    { account, version }: { readonly account: AccountContext; readonly version: string },
    mostTime: number,
  ) {
    this.end = performance.now() + mostTime;
    const limiting = tx.query<{ isCurrent: boolean }>(LIMIT_SEARCH, [mostTime, account.accountId, version]);
    this.isCurrent = limiting.then(([row]) => row?.isCurrent === true);
    this.isCurrent.catch(() => undefined);
  }

  async rows<Row>({ statement, values }: Composed): Promise<Row[]> {
    if (performance.now() > this.end) throw new TimeIsUp();
    const [rows] = await Promise.all([this.tx.query<Row>(statement, values), this.isCurrent]);
    return rows;
  }

  /** Returns the rows that match. The engine takes up to 2 ms for one comparison of two texts of 16 KiB. */
  async matching<R extends Omit<Row, 'at'>>(search: CompiledSearch, rows: readonly R[]): Promise<R[]> {
    const matching: R[] = [];
    let pause = performance.now() + SLICE;
    for (const row of rows) {
      if (search.isMatch(row)) matching.push(row);
      if (performance.now() < pause) continue;
      if (performance.now() > this.end) throw new TimeIsUp();
      await setImmediate();
      pause = performance.now() + SLICE;
    }
    return matching;
  }
}

/** Finds out, in the snapshot of the search, what decides how it finds records. */
async function findChances(
  db: LimitedTime,
  search: CompiledSearch,
): Promise<{
  readonly chances: Chances | undefined;
  readonly owners: readonly StoredOwner[] | undefined;
}> {
  const rows = async <R>(statement: Composed | undefined): Promise<readonly R[] | undefined> =>
    statement === undefined ? undefined : db.rows<R>(statement);
  const [chances, owners] = await Promise.all([
    rows<Chances>(search.chances()),
    rows<StoredOwner>(search.owners()),
  ]);
  return { chances: chances?.[0], owners };
}

async function findPage(
  db: LimitedTime,
  { search, path: { stages } }: Searching,
  { after, most }: { readonly after: readonly SortValue[] | undefined; readonly most: number },
): Promise<readonly Found[]> {
  const found: Found[] = [];
  // A place without a value is in the last stage.
  const left = after?.[0] === null ? stages.slice(-1) : stages;
  let from = after;
  for (const stage of left) {
    // Most pages are full after the first statement. Where they are not, many records may not match.
    let size = most - found.length;
    for (let isLast = false; !isLast; size = BATCH) {
      const rows = await db.rows<Row>(search.page(stage, from, size));
      found.push(...(await db.matching(search, rows)));
      if (found.length >= most) return found.slice(0, most);
      isLast = rows.length < size;
      from = isLast ? undefined : rows.at(-1)?.at;
    }
  }
  return found;
}

async function countAll(
  db: LimitedTime,
  { accountId }: AccountContext,
  { search, path: { all } }: Searching,
): Promise<number> {
  const ofAll = { statement: countStatement(!search.archived), values: [accountId, search.objectType] };
  const [row] = await db.rows<{ count: number }>(search.isAll ? ofAll : search.count(all));
  let count = row?.count ?? 0;
  for (let from: string | undefined = search.isExact(all) ? undefined : LEAST_ID; from !== undefined;) {
    const rows: Omit<Row, 'at'>[] = await db.rows(search.doubtful(all, from, BATCH));
    count += (await db.matching(search, rows)).length;
    from = rows.length < BATCH ? undefined : rows.at(-1)?.id;
  }
  return count;
}
