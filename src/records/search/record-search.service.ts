import { Inject, Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { ConfigurationCache, type AccountConfiguration } from '../../configuration/index.js';
import { Database } from '../../database/index.js';
import type { TriggerOperator } from '../../engine/index.js';
import { invalid } from '../../errors/errors.js';
import { Failures } from '../../errors/failures.js';
import { FieldTypeRegistry, type ObjectType } from '../../fields/index.js';
import { searchPage, type SearchPage as Page } from '../../paging/index.js';
import { fieldLookup, TRIGGER_OPERATORS } from '../../routers/index.js';
import { resolveExtras } from '../record-validator.js';
import { addedNames, bytesWithoutValues } from '../record-view.js';
import type { ExpandedFields, ExpandedView } from '../references/expanded-view.js';
import { RecordExpander } from '../references/record-expander.js';
import { resolveExpand } from '../references/resolve-expand.js';
import { CompiledSearch } from './compiled-search.js';
import { readFilter, searchQuery } from './read-search.js';
import { RecordSearchRepository, type SearchPage } from './record-search.repository.js';
import { readSearchCursor, searchCursor } from './search-cursor.js';
import { orderText, readSort } from './search-order.js';
import { SearchTooLongError } from './search-too-long.error.js';
import type { SearchDto } from './search.dto.js';

/** A search, and what is wrong with the request already. */
export interface SearchRequest {
  /** Undefined for a body that is no object. Keys of which something is wrong may have any value. */
  readonly search: SearchDto | undefined;
  /** References to expand beside those of the body. */
  readonly expand?: readonly string[];
  readonly failures?: Failures | undefined;
}

const DEFAULT_LIMIT = 10;

/** Searches records of the four object types (contract section 7). */
@Injectable()
export class RecordSearchService {
  constructor(
    private readonly database: Database,
    private readonly repository: RecordSearchRepository,
    private readonly configurations: ConfigurationCache,
    private readonly expander: RecordExpander,
    private readonly types: FieldTypeRegistry,
    @Inject(TRIGGER_OPERATORS) private readonly operators: readonly TriggerOperator[],
  ) {}

  /**
   * Returns a page of the records that a filter matches, in the order of a sort, those that come first in
   * creation order first where it leaves that open. A page has fewer records than `limit` where its answer
   * would exceed 10 MiB, but at least one.
   * @throws DomainError 400 for all that is wrong with the request, and for a search that takes too long
   */
  search(client: ClientContext, objectType: ObjectType, request: SearchRequest): Promise<Page<ExpandedView>> {
    const search = soundParts(request);
    return this.configurations.use(client, async (configuration) => {
      const { limit = DEFAULT_LIMIT, count: counts = false } = search;
      const given = { ...request, search };
      const { compiled, page, order, expanded } = this.prepare({ client, configuration }, objectType, given);
      const asked = { search: compiled, page: { ...page, limit, counts } };
      try {
        const db = this.database.for(client);
        const { views, places, count } = await this.repository.search(db, client, asked);
        const rows = await this.expander.texts(client, views, expanded);
        // What does not fit is on the next page.
        const last = rows.length < places.length ? places[rows.length - 1] : undefined;
        return searchPage(rows, {
          limit,
          next: last === undefined ? null : searchCursor(order, last),
          count,
        });
      } catch (error) {
        throw error instanceof SearchTooLongError ? tooLong(search) : error;
      }
    });
  }

  /** @throws DomainError 400 */
  private prepare(
    {
      client,
      configuration,
    }: { readonly client: ClientContext; readonly configuration: AccountConfiguration },
    objectType: ObjectType,
    { search, expand = [], failures: found }: SearchRequest & { readonly search: SearchDto },
  ): {
    readonly compiled: CompiledSearch;
    readonly page: Omit<SearchPage, 'limit' | 'counts'>;
    readonly order: string;
    readonly expanded: ExpandedFields;
  } {
    const failures = new Failures();
    const names = { objectType, expand: [...expand, ...(search.expand ?? [])] };
    const unknown = new Failures();
    const expanded = resolveExpand(configuration, names, unknown);
    const selection = { properties: [...(search.properties ?? []), ...expanded.keys()], failures: found };
    const extras = resolveExtras(configuration, objectType, { selection, failures });
    failures.take(unknown);
    const fields = fieldLookup(configuration.catalog, this.types, configuration.directory);
    const known = { fields, operators: this.operators, types: this.types };
    const filter = readFilter(search.filter, objectType, { ...known, failures });
    const sort = readSort(search.sort ?? [], { objectType, fields, failures });
    const order = orderText(objectType, sort);
    failures.throwIfAny();
    const query = searchQuery({ objectType, archived: search.archived ?? false, filter, sort }, known);
    const compiled = new CompiledSearch(client, query);
    const cursor = search.after ?? undefined;
    const after = cursor === undefined ? undefined : readSearchCursor(cursor, order, compiled.keys);
    if (cursor !== undefined && after === undefined) {
      failures.add(() => ({
        field: 'after',
        message: 'after must be the next of another page of this search',
      }));
    }
    failures.throwIfAny();
    const shown = {
      objectType,
      extras: addedNames(objectType, extras),
      userFields: configuration.catalog.userFieldNames(objectType),
      bytesPerRow: bytesWithoutValues(objectType, extras),
    };
    return { compiled, page: { ...shown, after }, order, expanded };
  }
}

/** Returns the keys of the body of which nothing is wrong so far. */
function soundParts({ search = {}, failures }: SearchRequest): SearchDto {
  return Object.fromEntries(Object.entries(search).filter(([key]) => failures?.mentions(key) !== true));
}

function tooLong({ filter, sort = [], count = false }: SearchDto): Error {
  const parts = [
    filter === undefined ? [] : 'filter',
    sort.length === 0 ? [] : 'sort',
    count ? 'count' : [],
  ].flat();
  const message =
    'The search takes too long: let the filter find fewer records, by a unique key, the owner or create_date';
  return invalid((parts.length === 0 ? ['filter'] : parts).map((field) => ({ field, message })));
}
