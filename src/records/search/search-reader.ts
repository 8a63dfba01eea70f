import { Inject, Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import type { AccountConfiguration } from '../../configuration/index.js';
import type { TriggerOperator } from '../../engine/index.js';
import { Failures } from '../../errors/errors.js';
import { FieldTypeRegistry, type ObjectType } from '../../fields/index.js';
import { fieldLookup, TRIGGER_OPERATORS } from '../../routers/index.js';
import { resolveExtras } from '../record-validator.js';
import { addedNames, bytesWithoutValues } from '../record-view.js';
import type { ExpandedFields } from '../references/expanded-view.js';
import { resolveExpand } from '../references/resolve-expand.js';
import { CompiledSearch } from './compiled-search.js';
import { readFilter, searchQuery } from './read-search.js';
import type { SearchPage } from './record-search.repository.js';
import { readSearchCursor } from './search-cursor.js';
import { orderText, readSort } from './search-order.js';
import type { SearchDto } from './search.dto.js';

/** The sound parts of a search, and what is wrong with the request already. */
export interface GivenSearch {
  readonly search: SearchDto;
  /** References to expand beside those of the body. */
  readonly expand?: readonly string[];
  readonly failures?: Failures | undefined;
}

/** A search whose form is right. */
export interface PreparedSearch {
  readonly compiled: CompiledSearch;
  readonly page: Omit<SearchPage, 'limit' | 'counts'>;
  /** What tells its order from others. */
  readonly order: string;
  readonly expanded: ExpandedFields;
}

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
    { search, expand = [], failures: found }: GivenSearch,
  ): PreparedSearch {
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
      version: configuration.version,
    };
    return { compiled, page: { ...shown, after }, order, expanded };
  }
}
