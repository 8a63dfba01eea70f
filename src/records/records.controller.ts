import { Controller, Delete, Get, HttpCode, Patch, Post, Put, type Type } from '@nestjs/common';
import type { ClientContext } from '../auth/index.js';
import { Client, RequireScope } from '../auth/http.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import { IdempotentRequests, Repeatable, type RepeatableRequest } from '../idempotency/http.js';
import {
  ApiTags,
  Entity,
  type EntityAnswer,
  type Page,
  type PageRequest,
  PartsOfRequest,
  type RequestParts,
  type SearchPage,
  after,
  archived,
  dtoBody,
  emptyBody,
  limit,
  offset,
  properties,
} from '../http/index.js';
import { capitalized } from '../text/capitalized.js';
import { documentationOf } from './record.documentation.js';
import { expandParameter, idProperty, recordBody, requiredIdProperty } from './record.parameters.js';
import { versionOf, type RecordView } from './record-view.js';
import type { RecordAddress, RecordSelection } from './record-validator.js';
import type { ExpandedView } from './references/expanded-view.js';
import type { ChangePlace } from './history/change-cursor.js';
import { afterChange, changedField } from './history/history.schemas.js';
import { RecordHistoryService, type HistoryPage } from './history/record-history.service.js';
import { RecordExpander } from './references/record-expander.js';
import { RecordsService, type Versions } from './records.service.js';
import { SearchDto } from './search/search.dto.js';
import { RecordSearchService } from './search/record-search.service.js';
import { UpsertsService } from './upserts.service.js';

interface Properties {
  readonly properties: readonly string[];
}

interface Expanded {
  readonly expand: readonly string[];
}

/** What of a record an answer shows. */
interface Shown extends Properties, Expanded {}

interface ListQuery extends PageRequest, Shown {
  readonly after: string | undefined;
}

/** How the path names a record: by its id, or by a unique key. */
interface Named {
  readonly id_property: string | undefined;
}

/** The changes of a record that a request asks for. */
interface HistoryQuery {
  readonly field: string | undefined;
  readonly limit: number;
  readonly after: ChangePlace | undefined;
}

const HISTORY = { field: changedField, limit, after: afterChange };

/** The parts of a request that names a record. */
type NamedParts<Query = Properties, Body = unknown> = RequestParts<Query & Named, Body>;

const selected = ({
  query: { properties: names },
  failures,
}: RequestParts<Properties, unknown>): RecordSelection => ({
  properties: names,
  failures,
});

/**
 * Creates the controller of one object type (clauses 4.2 to 4.4). Each object type has a class, because its
 * paths have their own id parameter and their own schemas.
 */
export function recordsController(objectType: ObjectType): Type {
  const parameter = `${OBJECT_TYPE_RULES[objectType].singular}Id`;
  const path = `:${parameter}`;
  const id_property = idProperty(objectType);
  const query = { properties, id_property };
  const expand = expandParameter(objectType);
  const documented = documentationOf(objectType);
  const ENTITY = { name: objectType, versionOf };
  const LIST = { limit, offset, after, archived, properties, expand };
  const READ = { ...query, expand };
  const named = (parts: NamedParts<object>): RecordAddress & Versions => ({
    objectType,
    id: parts.id,
    property: parts.query.id_property,
    versions: parts.preconditions.versions,
  });
  const UPSERT = { properties, id_property: requiredIdProperty(objectType) };

  @ApiTags(capitalized(objectType))
  @Controller(objectType)
  class RecordsController {
    constructor(
      private readonly records: RecordsService,
      private readonly upserts: UpsertsService,
      private readonly requests: IdempotentRequests,
      private readonly searches: RecordSearchService,
      private readonly expander: RecordExpander,
      private readonly history: RecordHistoryService,
    ) {}

    @Get()
    @RequireScope('records:read')
    @documented.List
    list(
      @Client() client: ClientContext,
      @PartsOfRequest({ query: LIST })
      { query: { expand, properties: names, ...query }, failures }: RequestParts<ListQuery, never>,
    ): Promise<Page<ExpandedView>> {
      const asked = { objectType, expand, selection: { properties: names, failures } };
      return this.expander.page(client, asked, (selection) =>
        this.records.list(client, objectType, { ...query, ...selection }),
      );
    }

    @Post()
    @RequireScope('records:write')
    @documented.Create
    create(
      @Repeatable() request: RepeatableRequest,
      @PartsOfRequest({ query: { properties }, body: recordBody })
      parts: RequestParts<Properties, unknown>,
      @Entity({ ...ENTITY, path: 'collection' }) { created }: EntityAnswer,
    ): Promise<RecordView> {
      const write = { objectType, fields: parts.body };
      return this.requests.once(request, (client) =>
        this.records.create(client, write, selected(parts)).then(created),
      );
    }

    @Post('search')
    @HttpCode(200)
    @RequireScope('records:read')
    @documented.Search
    search(
      @Client() client: ClientContext,
      @PartsOfRequest({ query: { expand }, body: dtoBody(SearchDto) })
      { query: { expand }, body: search, failures }: RequestParts<Expanded, SearchDto | undefined>,
    ): Promise<SearchPage<ExpandedView>> {
      return this.searches.search(client, objectType, { search, expand, failures });
    }

    @Get(path)
    @RequireScope('records:read')
    @documented.Read
    get(
      @Client() client: ClientContext,
      @PartsOfRequest({ parameter, query: READ }) parts: NamedParts<Shown, never>,
      @Entity(ENTITY) { present }: EntityAnswer,
    ): Promise<ExpandedView> {
      const { expand } = parts.query;
      const asked = { objectType, expand, selection: selected(parts) };
      const read = (selection: RecordSelection): Promise<RecordView> =>
        this.records.get(client, named(parts), selection);
      return this.expander.item(client, asked, read).then(present);
    }

    @Patch(path)
    @RequireScope('records:write')
    @documented.Update
    update(
      @Repeatable() request: RepeatableRequest,
      @PartsOfRequest({ parameter, query, body: recordBody, preconditions: 'If-Match' }) parts: NamedParts,
      @Entity(ENTITY) { present }: EntityAnswer,
    ): Promise<RecordView> {
      const write = { ...named(parts), fields: parts.body };
      return this.requests.once(request, (client) =>
        this.records.update(client, write, selected(parts)).then(present),
      );
    }

    @Put(path)
    @RequireScope('records:write')
    @documented.Upsert
    upsert(
      @Repeatable() request: RepeatableRequest,
      @PartsOfRequest({
        parameter,
        isStored: true,
        query: UPSERT,
        body: recordBody,
        preconditions: 'If-None-Match',
      })
      parts: NamedParts,
      @Entity(ENTITY) answer: EntityAnswer,
    ): Promise<RecordView> {
      const write = { ...named(parts), fields: parts.body, preconditions: parts.preconditions };
      return this.requests.once(request, async (client) => {
        const { record, created } = await this.upserts.upsert(client, write, selected(parts));
        return created ? answer.created(record) : answer.present(record);
      });
    }

    @Delete(path)
    @HttpCode(200)
    @RequireScope('records:write')
    @documented.Archive
    archive(
      @Repeatable() request: RepeatableRequest,
      @PartsOfRequest({ parameter, query: { id_property }, preconditions: 'If-Match' })
      parts: NamedParts<object, never>,
      @Entity(ENTITY) { present }: EntityAnswer,
    ): Promise<RecordView> {
      const archive = (client: ClientContext): Promise<RecordView> =>
        this.records.archive(client, named(parts)).then(present);
      return this.requests.once(request, archive, parts.failures);
    }

    @Post(`${path}/restore`)
    @HttpCode(200)
    @RequireScope('records:write')
    @documented.Restore
    restore(
      @Repeatable() request: RepeatableRequest,
      @PartsOfRequest({ parameter, preconditions: 'If-Match', body: emptyBody })
      { id, preconditions: { versions }, failures }: RequestParts<object, undefined>,
      @Entity(ENTITY) { present }: EntityAnswer,
    ): Promise<RecordView> {
      const restore = (client: ClientContext): Promise<RecordView> =>
        this.records.restore(client, { objectType, id, versions }).then(present);
      return this.requests.once(request, restore, failures);
    }

    @Get(`${path}/history`)
    @RequireScope('records:read')
    @documented.History
    listChanges(
      @Client() client: ClientContext,
      @PartsOfRequest({ parameter, query: HISTORY })
      { id, query: changes, failures }: RequestParts<HistoryQuery, never>,
    ): Promise<HistoryPage> {
      return this.history.list(client, { objectType, id }, { ...changes, failures });
    }
  }

  Object.defineProperty(RecordsController, 'name', { value: `${objectType}Controller` });
  return RecordsController;
}
