import { Controller, type Type } from '@nestjs/common';
import type { ClientContext } from '../auth/index.js';
import { Client } from '../auth/http.js';
import type { ObjectType } from '../fields/index.js';
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
  batchAnswer,
  dtoBody,
  emptyBody,
  limit,
  offset,
  properties,
} from '../http/index.js';
import { capitalized } from '../text/capitalized.js';
import { BatchDto, BatchReadDto, type BatchAction } from './batch/batch.dto.js';
import { RecordBatchService, type BatchEntry } from './batch/record-batch.service.js';
import {
  RecordHistoryService,
  type HistoryPage,
  type HistoryQuery,
} from './history/record-history.service.js';
import { afterChange, changedField, expandParameter, idProperty, recordBody } from './record.parameters.js';
import { pathParameter, recordRoutes } from './record.routes.js';
import type { RecordSelection } from './record-selection.js';
import type { RecordAddress } from './record-validator.js';
import { versionOf, type RecordView } from './record-view.js';
import type { ExpandedView } from './references/expand.js';
import { RecordsService, type Versions } from './records.service.js';
import { RecordSearchService } from './search/record-search.service.js';
import { SearchDto } from './search/search.dto.js';
import { UpsertsService } from './upserts.service.js';

interface Properties {
  readonly properties: readonly string[];
}

interface Expanded {
  readonly expand: readonly string[];
}

interface ListQuery extends PageRequest, Properties, Expanded {
  readonly after: string | undefined;
}

/** The parts of a request that names a record: by its id, or by a unique key. */
type NamedParts<Query = Properties, Body = unknown> = RequestParts<
  Query & { readonly id_property: string | undefined },
  Body
>;
type BatchParts = RequestParts<Partial<Expanded>, BatchReadDto | undefined>;

const selected = ({ query, failures }: RequestParts<Properties, unknown>): RecordSelection => ({
  properties: query.properties,
  failures,
});

const BATCH = { body: dtoBody(BatchDto) };

/** The controller of one object type: its paths have their own id parameter and schemas. */
export function recordsController(objectType: ObjectType): Type {
  const parameter = pathParameter(objectType);
  const id_property = idProperty(objectType);
  const query = { properties, id_property };
  const expand = expandParameter(objectType);
  const routes = recordRoutes(objectType);
  const ENTITY = { name: objectType, versionOf };
  const LIST = { limit, offset, after, archived, properties, expand };
  const UPSERT = {
    parameter,
    isStored: true,
    query: { properties, id_property: idProperty(objectType, { required: true }) },
    body: recordBody,
    preconditions: 'If-None-Match',
  } as const;
  const named = (parts: NamedParts<object>): RecordAddress & Versions => ({
    objectType,
    id: parts.id,
    property: parts.query.id_property,
    versions: parts.preconditions.versions,
  });

  @ApiTags(capitalized(objectType))
  @Controller(objectType)
  class RecordsController {
    constructor(
      private readonly records: RecordsService,
      private readonly upserts: UpsertsService,
      private readonly batches: RecordBatchService,
      private readonly requests: IdempotentRequests,
      private readonly searches: RecordSearchService,
      private readonly history: RecordHistoryService,
    ) {}

    // Before the routes that have the id of a record in the same place.
    @routes.Batch('create')
    batchCreate(@Repeatable() request: RepeatableRequest, @PartsOfRequest(BATCH) parts: BatchParts) {
      return this.batch('create', request, parts);
    }

    @routes.Batch('read')
    batchRead(
      @Client() client: ClientContext,
      @PartsOfRequest({ query: { expand }, body: dtoBody(BatchReadDto) }) parts: BatchParts,
    ) {
      return this.run('read', client, parts);
    }

    @routes.Batch('update')
    batchUpdate(@Repeatable() request: RepeatableRequest, @PartsOfRequest(BATCH) parts: BatchParts) {
      return this.batch('update', request, parts);
    }

    @routes.Batch('upsert')
    batchUpsert(@Repeatable() request: RepeatableRequest, @PartsOfRequest(BATCH) parts: BatchParts) {
      return this.batch('upsert', request, parts);
    }

    @routes.Batch('archive')
    batchArchive(@Repeatable() request: RepeatableRequest, @PartsOfRequest(BATCH) parts: BatchParts) {
      return this.batch('archive', request, parts);
    }

    @routes.Batch('restore')
    batchRestore(@Repeatable() request: RepeatableRequest, @PartsOfRequest(BATCH) parts: BatchParts) {
      return this.batch('restore', request, parts);
    }

    @routes.List
    list(
      @Client() client: ClientContext,
      @PartsOfRequest({ query: LIST }) parts: RequestParts<ListQuery, never>,
    ): Promise<Page<ExpandedView>> {
      return this.records.list(client, objectType, { ...parts.query, failures: parts.failures });
    }

    @routes.Create
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

    @routes.Search
    search(
      @Client() client: ClientContext,
      @PartsOfRequest({ query: { expand }, body: dtoBody(SearchDto) })
      { query: { expand }, body: search, failures }: RequestParts<Expanded, SearchDto | undefined>,
    ): Promise<SearchPage<ExpandedView>> {
      return this.searches.search(client, objectType, { search, expand, failures });
    }

    @routes.Read
    get(
      @Client() client: ClientContext,
      @PartsOfRequest({ parameter, query: { ...query, expand } })
      parts: NamedParts<Properties & Expanded, never>,
      @Entity(ENTITY) { present }: EntityAnswer,
    ): Promise<ExpandedView> {
      const selection = { ...selected(parts), expand: parts.query.expand };
      return this.records.get(client, named(parts), selection).then(present);
    }

    @routes.Update
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

    @routes.Upsert
    upsert(
      @Repeatable() request: RepeatableRequest,
      @PartsOfRequest(UPSERT) parts: NamedParts,
      @Entity(ENTITY) answer: EntityAnswer,
    ): Promise<RecordView> {
      const write = { ...named(parts), fields: parts.body, preconditions: parts.preconditions };
      return this.requests.once(request, async (client) => {
        const { record, created } = await this.upserts.upsert(client, write, selected(parts));
        return created ? answer.created(record) : answer.present(record);
      });
    }

    @routes.Archive
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

    @routes.Restore
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

    @routes.History
    listChanges(
      @Client() client: ClientContext,
      @PartsOfRequest({ parameter, query: { field: changedField, limit, after: afterChange } })
      { id, query: changes, failures }: RequestParts<Omit<HistoryQuery, 'failures'>, never>,
    ): Promise<HistoryPage> {
      return this.history.list(client, { objectType, id }, { ...changes, failures });
    }

    private batch(action: BatchAction, request: RepeatableRequest, parts: BatchParts) {
      return this.requests.once(request, (client) => this.run(action, client, parts));
    }

    private async run(
      action: BatchAction,
      client: ClientContext,
      { query: { expand = [] }, body, failures }: BatchParts,
    ): Promise<{ results: BatchEntry[] }> {
      const asked = { objectType, action, batch: body, expand, failures };
      return batchAnswer(await this.batches.run(client, asked), client.requestId ?? '');
    }
  }

  Object.defineProperty(RecordsController, 'name', { value: `${objectType}Controller` });
  return RecordsController;
}
