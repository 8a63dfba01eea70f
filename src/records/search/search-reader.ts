import { Inject, Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import type { AccountConfiguration } from '../../configuration/index.js';
import type { Trigger, TriggerOperator } from '../../engine/index.js';
import { Failures } from '../../errors/errors.js';
import { FieldTypeRegistry, type ObjectType } from '../../fields/index.js';
import { fieldLookup, TRIGGER_OPERATORS } from '../../routers/index.js';
import { resolveExtras } from '../record-validator.js';
import { shownViews } from '../record-view.js';
import { resolveExpand, type ExpandedFields } from '../references/expanded-view.js';
import { CompiledSearch, type SearchParts } from './compiled-search.js';
import { isSearchable } from './condition-sql.js';
import { parseFilter } from './parse-filter.js';
import type { SearchPage } from './record-search.repository.js';
import { orderText, readSearchCursor, readSort } from './search-order.js';
import { NO_CURSOR, type SearchDto } from './search.dto.js';
import { comparisonOf, searchLookup } from './searched-field.js';

/** A search, and what is wrong with the request already. */
export interface SearchRequest {
  /** Undefined for a body that is no object. Keys of which something is wrong may have any value. */
  readonly search: SearchDto | undefined;
  /** References to expand beside those of the body. */
  readonly expand?: readonly string[];
  readonly failures?: Failures | undefined;
}

/** A search whose form is right. */
export interface PreparedSearch {
  readonly compiled: CompiledSearch;
  readonly page: SearchPage;
  /** What tells its order from others. */
  readonly order: string;
  readonly expanded: ExpandedFields;
}

/** The most conditions of a filter, and the most values of them together. */
const MOST_CONDITIONS = 100;
const MOST_OPERANDS = 1_000;

const DEFAULT_LIMIT = 10;

const ALL: Trigger = { groups: [] };

/** Reads the requests of searches. */
@Injectable()
export class SearchReader {
  constructor(
    private readonly types: FieldTypeRegistry,
    @Inject(TRIGGER_OPERATORS) private readonly operators: readonly TriggerOperator[],
  ) {}

  /** Reads a request. @throws DomainError 400 for all that is wrong with it */
  prepare(
    {
      client,
      configuration,
    }: { readonly client: ClientContext; readonly configuration: AccountConfiguration },
    objectType: ObjectType,
    { search: given = {}, expand = [], failures: found }: SearchRequest,
  ): PreparedSearch {
    const sound = Object.entries(given).filter(([key]) => found?.mentions(key) !== true);
    const search: SearchDto = Object.fromEntries(sound);
    const failures = new Failures();
    const names = { objectType, expand: [...expand, ...(search.expand ?? [])] };
    const unknown = new Failures();
    const expanded = resolveExpand(configuration, names, unknown);
    const selection = { properties: [...(search.properties ?? []), ...expanded.keys()], failures: found };
    const extras = resolveExtras(configuration, objectType, { selection, failures });
    failures.take(unknown);
    const { catalog, directory } = configuration;
    const fields = searchLookup(fieldLookup(catalog, this.types, directory), this.types);
    const parts = { fields, directory, types: this.types, operators: this.operators };
    const filter = readFilter(search.filter, objectType, { ...parts, failures });
    const sort = readSort(search.sort ?? [], objectType, { fields, failures });
    const order = orderText(objectType, sort);
    failures.throwIfAny();
    const query = { objectType, archived: search.archived ?? false, filter, sort };
    const compiled = new CompiledSearch(client, query, parts);
    const cursor = search.after ?? undefined;
    const after = cursor === undefined ? undefined : readSearchCursor(cursor, order, compiled.keys);
    if (cursor !== undefined && after === undefined) {
      failures.add(() => ({ field: 'after', message: NO_CURSOR }));
    }
    failures.throwIfAny();
    const shown = shownViews(objectType, extras, catalog.userFieldNames(objectType));
    const { limit = DEFAULT_LIMIT, count: counts = false } = search;
    const page = { ...shown, version: configuration.version, after, limit, counts };
    return { compiled, page, order, expanded };
  }
}

/**
 * Reads a filter, which is a trigger; one that is left out matches all records.
 * @param failures receives all that is wrong with it
 */
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
