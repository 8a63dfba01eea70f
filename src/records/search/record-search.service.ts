import { Inject, Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { ConfigurationCache, OUTDATED, type AccountConfiguration } from '../../configuration/index.js';
import { Database } from '../../database/index.js';
import type { Trigger, TriggerOperator } from '../../engine/index.js';
import { Failures, invalid, invalidField } from '../../errors/errors.js';
import { FieldTypeRegistry, type ObjectType } from '../../fields/index.js';
import { jsonPage, type SearchPage as Page } from '../../paging/index.js';
import { fieldLookup, TRIGGER_OPERATORS } from '../../routers/index.js';
import { IndexJob } from '../indexes/index.job.js';
import { UPDATED_AT } from '../indexes/record-indexes.repository.js';
import { type ExpandedView, expandViews, resolveSelection } from '../record-selection.js';
import { CompiledSearch, type SearchParts } from './compiled-search.js';
import { isSearchable } from './condition-sql.js';
import { NoPlaceError, RecordSearchRepository, SearchTooLongError } from './record-search.repository.js';
import { orderText, readSearchCursor, readSort, searchCursor } from './search-order.js';
import { NO_CURSOR, type SearchDto } from './search.dto.js';
import { comparisonOf, parseFilter, searchLookup } from './searched-field.js';

/** A search, and what is wrong with the request already. */
interface SearchRequest {
  /** Undefined for a body that is no object. Keys of which something is wrong may have any value. */
  readonly search: SearchDto | undefined;
  /** References to expand beside those of the body. */
  readonly expand?: readonly string[];
  readonly failures?: Failures | undefined;
}

/** The most conditions of a filter, and the most values of them together. */
const MOST_CONDITIONS = 100;
const MOST_OPERANDS = 1_000;

const ALL: Trigger = { groups: [] };

/** Searches records of the four object types (contract section 7). */
@Injectable()
export class RecordSearchService {
  constructor(
    private readonly database: Database,
    private readonly repository: RecordSearchRepository,
    private readonly configurations: ConfigurationCache,
    private readonly indexes: IndexJob,
    private readonly types: FieldTypeRegistry,
    @Inject(TRIGGER_OPERATORS) private readonly operators: readonly TriggerOperator[],
  ) {}

  /**
   * Returns a page of the records that a filter matches, in the order of a sort, and of creation behind that.
   * It has fewer records than `limit` where its answer would exceed 10 MiB, but one at least.
   * @throws DomainError 400 for all that is wrong with the request, and for a search that takes too long
   */
  search(client: ClientContext, objectType: ObjectType, request: SearchRequest): Promise<Page<ExpandedView>> {
    return this.configurations.use(client, async (configuration) => {
      const parts = this.partsOf(configuration);
      const { search, query, expanded: fields, ...shown } = read(request, objectType, parts);
      const order = orderText(objectType, query.sort);
      const compiled = new CompiledSearch(client, query, parts);
      const after = search.after == null ? undefined : readSearchCursor(search.after, order, compiled.keys);
      if (search.after != null && after === undefined) throw invalidField('after', NO_CURSOR);
      if (compiled.path.fields.includes(UPDATED_AT))
        this.indexes.askUpdatedAt({ accountId: client.accountId, objectType });
      const { limit = 10, count: counts = false } = search;
      const page = { ...shown, version: configuration.version, after, limit, counts };
      try {
        const db = this.database.for(client);
        const found = await this.repository.search(db, client, { search: compiled, page });
        if (found === OUTDATED) return OUTDATED;
        const { views, places, count } = found;
        const rows = await expandViews(db, client, { views, fields });
        // What does not fit is on the next page.
        const last = rows.length < places.length ? places[rows.length - 1] : undefined;
        const next = last === undefined ? null : searchCursor(order, last);
        return jsonPage<ExpandedView, Page<ExpandedView>['pagination']>(rows, { limit, next, count });
      } catch (error) {
        if (error instanceof NoPlaceError) throw invalidField('after', NO_CURSOR);
        throw error instanceof SearchTooLongError ? tooLong(search) : error;
      }
    });
  }

  private partsOf(configuration: AccountConfiguration): SearchParts & Pick<AccountConfiguration, 'catalog'> {
    const { types, operators } = this;
    const { catalog, directory } = configuration;
    const fields = searchLookup(fieldLookup(catalog, types, directory), types);
    return { catalog, directory, fields, types, operators };
  }
}

/** Reads a request, but for its place. @throws DomainError 400 for all that is wrong with it */
function read(
  { search: given = {}, expand = [], failures: found }: SearchRequest,
  objectType: ObjectType,
  { catalog, ...parts }: SearchParts & Pick<AccountConfiguration, 'catalog'>,
) {
  const sound = Object.entries(given).filter(([key]) => found?.mentions(key) !== true);
  const search: SearchDto = Object.fromEntries(sound);
  const failures = new Failures();
  const { properties = [], expand: added = [], archived = false } = search;
  const selection = { properties, expand: [...expand, ...added], failures: found };
  const shown = resolveSelection(catalog, objectType, { selection, failures });
  const filter = readFilter(search.filter, objectType, { ...parts, failures });
  const sort = readSort(search.sort ?? [], objectType, { fields: parts.fields, failures });
  failures.throwIfAny();
  return { ...shown, search, query: { objectType, archived, filter, sort } };
}

/** Reads a filter; one that is left out matches all. @param failures receives all that is wrong with it */
function readFilter(
  value: unknown,
  objectType: ObjectType,
  { fields, types, operators, failures }: SearchParts & { readonly failures: Failures },
): Trigger {
  if (value === undefined) return ALL;
  const result = parseFilter({ value, path: 'filter' }, objectType, { fields, operators });
  if (!result.ok) {
    failures.addAll(result.errors);
    return ALL;
  }
  const { groups } = result.trigger;
  const conditions = groups.flatMap((group) => group.conditions);
  const tooMany = (what: string): void =>
    failures.add(() => ({ field: 'filter', message: `filter must have at most ${what}` }));
  if (conditions.length > MOST_CONDITIONS) tooMany(`${MOST_CONDITIONS} conditions`);
  if (conditions.flatMap((each) => each.value).length > MOST_OPERANDS) tooMany(`${MOST_OPERANDS} values`);
  for (const [group, { conditions: own }] of groups.entries()) {
    for (const [index, { field, operator }] of own.entries()) {
      const handle = fields(objectType, field);
      const known = operators.find(({ id }) => id === operator);
      if (handle === undefined || known === undefined || isSearchable(known, comparisonOf(handle, types)))
        continue;
      failures.add(() => ({
        field: `filter.groups[${group}].conditions[${index}].operator`,
        message: `Searches have no operator ${operator} for fields of type ${handle.definition.type}`,
      }));
    }
  }
  return result.trigger;
}

function tooLong({ filter, sort = [], count = false }: SearchDto): Error {
  const parts = [
    ...(filter === undefined ? [] : ['filter']),
    ...(sort.length === 0 ? [] : ['sort']),
    ...(count ? ['count'] : []),
  ];
  const message =
    'The search takes too long: let the filter find fewer records, by a unique key, the owner or create_date';
  return invalid((parts.length === 0 ? ['filter'] : parts).map((field) => ({ field, message })));
}
