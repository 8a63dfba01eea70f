import { Injectable } from '@nestjs/common';
import { configurationIsCurrent, type AccountContext } from '../../accounts/index.js';
import { OUTDATED } from '../../configuration/index.js';
import { errorCode, type Database, type Statement, type Transaction } from '../../database/index.js';
import { foundViews } from '../record-pages.js';
import type { ShownViews } from '../record-view.js';
import { countStatement } from '../record-view.statements.js';
import type { CompiledSearch } from './compiled-search.js';
import type { SortValue } from './search-order.js';
import type { Chances } from './search-path.js';
import type { Composed } from './sql-values.js';

const QUERY_CANCELED = '57014';
/** The class of errors for values that a type does not have. */
const NO_VALUE = '22';

/** The statements of a search take longer than they may. */
export class SearchTooLongError extends Error {}

/** The place behind which a page should start has values that its keys cannot have. */
export class NoPlaceError extends Error {}

/** Which part of what is found a search returns. */
export interface SearchPage extends ShownViews {
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
  /** The places of what is found: more than there are views where others follow. */
  readonly places: readonly (readonly SortValue[])[];
  readonly count: number | undefined;
}

interface Found {
  readonly id: string;
  readonly at: readonly SortValue[];
}

/**
 * $1 milliseconds, $2 account, $3 a version of its configuration. Limits the next statement of a transaction,
 * keeps PostgreSQL from dividing it between processes, which takes longer than most searches do, and lets it
 * unite what several conditions find by their indexes. Returns whether the account still has that version.
 */
const LIMIT: Statement = {
  name: 'record_search_limit',
  text: `SELECT set_config('statement_timeout', $1::text, true), set_config('enable_bitmapscan', 'on', true),
    set_config('enable_incremental_sort', 'on', true), set_config('max_parallel_workers_per_gather', '0', true),
    ${configurationIsCurrent('$2', '$3')} AS "isCurrent"`,
};

/** Searches records, in one snapshot. */
@Injectable()
export class RecordSearchRepository {
  /** Milliseconds that the statements of a search may take together. */
  mostTime = 2_000;

  /**
   * Returns a page; OUTDATED where the search names users and the configuration has another version: they may
   * have other e-mails. @throws SearchTooLongError, NoPlaceError
   */
  async search(
    db: Database,
    account: AccountContext,
    { search, page }: { readonly search: CompiledSearch; readonly page: SearchPage },
  ): Promise<SearchResult | typeof OUTDATED> {
    const { limit, after, counts, version, ...shown } = page;
    const work = async (tx: Transaction): Promise<SearchResult | typeof OUTDATED> => {
      const end = performance.now() + this.mostTime;
      const limits: { readonly isCurrent: boolean }[] = [];
      const rows = async <Row>({ statement, values }: Composed): Promise<Row[]> => {
        const left = Math.ceil(end - performance.now());
        if (left <= 0) throw new SearchTooLongError();
        const [[limited], found] = await Promise.all([
          tx.query<{ isCurrent: boolean }>(LIMIT, [left, account.accountId, version]),
          tx.query<Row>(statement, values),
        ]);
        if (limited !== undefined) limits.push(limited);
        return found;
      };
      const asked = search.path.chances();
      const [chances] = asked === undefined ? [] : await rows<Chances>(asked);
      const found: Found[] = [];
      for (const source of search.path.sources(chances, after)) {
        const most = limit + 1 - found.length;
        if (most > 0) found.push(...(await rows<Found>(search.page(source, after, most))));
      }
      if (search.namesUsers && limits[0]?.isCurrent !== true) return OUTDATED;
      const all = [account.accountId, search.query.objectType];
      const ofAll = { statement: countStatement(!search.query.archived), values: all };
      const [counted] = counts
        ? await rows<{ count: number }>(search.isAll ? ofAll : search.count(chances))
        : [];
      const ids = found.slice(0, limit).map(({ id }) => id);
      const { views } = await foundViews(tx, account, { ...shown, ids });
      return {
        views,
        places: found.map(({ at }) => at),
        count: counted?.count,
      };
    };
    try {
      return await db.transaction(work, { isolation: 'REPEATABLE READ', readOnly: true, eager: true });
    } catch (error) {
      const code = errorCode(error);
      if (code === QUERY_CANCELED) throw new SearchTooLongError();
      throw after !== undefined && code?.startsWith(NO_VALUE) === true ? new NoPlaceError() : error;
    }
  }
}
