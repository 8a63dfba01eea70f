import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { ConfigurationCache, OUTDATED } from '../../configuration/index.js';
import { Database } from '../../database/index.js';
import { invalid, invalidField } from '../../errors/errors.js';
import type { ObjectType } from '../../fields/index.js';
import { searchPage, type SearchPage as Page } from '../../paging/index.js';
import { IndexJob } from '../indexes/index.job.js';
import type { ExpandedView } from '../references/expanded-view.js';
import { RecordExpander } from '../references/record-expander.js';
import { NoPlaceError, RecordSearchRepository, SearchTooLongError } from './record-search.repository.js';
import { searchCursor } from './search-order.js';
import { SearchReader, type SearchRequest } from './search-reader.js';
import { NO_CURSOR, type SearchDto } from './search.dto.js';

/** Searches records of the four object types (contract section 7). */
@Injectable()
export class RecordSearchService {
  constructor(
    private readonly database: Database,
    private readonly repository: RecordSearchRepository,
    private readonly configurations: ConfigurationCache,
    private readonly expander: RecordExpander,
    private readonly reader: SearchReader,
    private readonly indexes: IndexJob,
  ) {}

  /**
   * Returns a page of the records that a filter matches, in the order of a sort, those that come first in
   * creation order first where it leaves that open. A page has fewer records than `limit` where its answer
   * would exceed 10 MiB, but at least one.
   * @throws DomainError 400 for all that is wrong with the request, and for a search that takes too long
   */
  search(client: ClientContext, objectType: ObjectType, request: SearchRequest): Promise<Page<ExpandedView>> {
    return this.configurations.use(client, async (configuration) => {
      const on = { client, configuration };
      const { compiled, page, order, expanded } = this.reader.prepare(on, objectType, request);
      const { limit } = page;
      if (compiled.usesLastModified)
        this.indexes.askLastModified({ accountId: client.accountId, objectType });
      try {
        const db = this.database.for(client);
        const found = await this.repository.search(db, client, { search: compiled, page });
        if (found === OUTDATED) return OUTDATED;
        const { views, places, count } = found;
        const rows = await this.expander.texts(client, views, expanded);
        // What does not fit is on the next page.
        const last = rows.length < places.length ? places[rows.length - 1] : undefined;
        return searchPage(rows, {
          limit,
          next: last === undefined ? null : searchCursor(order, last),
          count,
        });
      } catch (error) {
        if (error instanceof NoPlaceError) throw invalidField('after', NO_CURSOR);
        throw error instanceof SearchTooLongError ? tooLong(request.search) : error;
      }
    });
  }
}

function tooLong({ filter, sort = [], count = false }: SearchDto = {}): Error {
  const parts = [
    filter === undefined ? [] : 'filter',
    sort.length === 0 ? [] : 'sort',
    count ? 'count' : [],
  ].flat();
  const message =
    'The search takes too long: let the filter find fewer records, by a unique key, the owner or create_date';
  return invalid((parts.length === 0 ? ['filter'] : parts).map((field) => ({ field, message })));
}
