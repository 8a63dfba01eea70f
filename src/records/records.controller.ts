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
  type PartsOf,
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
import { RecordHistoryService, type HistoryPage } from './history/record-history.service.js';
import { afterChange, changedField, expandParameter, idProperty, recordBody } from './record.parameters.js';
import { pathParameter, recordRoutes } from './record.routes.js';
import { versionOf, type RecordView } from './record-view.js';
import type { ExpandedView } from './record-selection.js';
import { RecordsService } from './records.service.js';
import { RecordSearchService } from './search/record-search.service.js';
import { SearchDto } from './search/search.dto.js';
import { UpsertsService } from './upserts.service.js';

const BATCH = { body: dtoBody(BatchDto) };

type BatchParts = RequestParts<{ readonly expand?: readonly string[] }, BatchReadDto | undefined>;

/** The controller of one object type: its paths have their own id parameter and schemas. */
export function recordsController(objectType: ObjectType): Type {
  const parameter = pathParameter(objectType);
  const id_property = idProperty(objectType);
  const expand = expandParameter(objectType);
  const routes = recordRoutes(objectType);
  const ENTITY = { name: objectType, versionOf };
  const BATCH_READ = { query: { expand }, body: dtoBody(BatchReadDto) };
  const SEARCH = { query: { expand }, body: dtoBody(SearchDto) };
  const LIST = { query: { limit, offset, after, archived, properties, expand } };
  const CREATE = { query: { properties }, body: recordBody };
  const NAMED = { parameter, query: { properties, id_property } };
  const READ = { parameter, query: { ...NAMED.query, expand } };
  const UPDATE = { ...NAMED, body: recordBody, preconditions: 'If-Match' } as const;
  const UPSERT = {
    parameter,
    isStored: true,
    query: { properties, id_property: idProperty(objectType, { required: true }) },
    body: recordBody,
    preconditions: 'If-None-Match',
  } as const;
  const ARCHIVE = { parameter, query: { id_property }, preconditions: 'If-Match' } as const;
  const HISTORY = { parameter, query: { field: changedField, limit, after: afterChange } };
  const named = ({ id, query, preconditions: { versions } }: PartsOf<typeof ARCHIVE>) => {
    return { objectType, id, property: query.id_property, versions };
  };

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
      @PartsOfRequest(BATCH_READ) parts: PartsOf<typeof BATCH_READ>,
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
      @PartsOfRequest(LIST) { query, failures }: PartsOf<typeof LIST>,
    ): Promise<Page<ExpandedView>> {
      return this.records.list(client, objectType, { ...query, failures });
    }

    @routes.Create
    create(
      @Repeatable() request: RepeatableRequest,
      @PartsOfRequest(CREATE) { query, body: fields, failures }: PartsOf<typeof CREATE>,
      @Entity({ ...ENTITY, path: 'collection' }) { created }: EntityAnswer,
    ): Promise<RecordView> {
      return this.requests.once(request, (client) =>
        this.records.create(client, { objectType, fields }, { ...query, failures }).then(created),
      );
    }

    @routes.Search
    search(
      @Client() client: ClientContext,
      @PartsOfRequest(SEARCH) { query, body: search, failures }: PartsOf<typeof SEARCH>,
    ): Promise<SearchPage<ExpandedView>> {
      return this.searches.search(client, objectType, { search, ...query, failures });
    }

    @routes.Read
    get(
      @Client() client: ClientContext,
      @PartsOfRequest(READ) parts: PartsOf<typeof READ>,
      @Entity(ENTITY) { present }: EntityAnswer,
    ): Promise<ExpandedView> {
      const { query, failures } = parts;
      return this.records.get(client, named(parts), { ...query, failures }).then(present);
    }

    @routes.Update
    update(
      @Repeatable() request: RepeatableRequest,
      @PartsOfRequest(UPDATE) parts: PartsOf<typeof UPDATE>,
      @Entity(ENTITY) { present }: EntityAnswer,
    ): Promise<RecordView> {
      const { query, body: fields, failures } = parts;
      return this.requests.once(request, (client) =>
        this.records.update(client, { ...named(parts), fields }, { ...query, failures }).then(present),
      );
    }

    @routes.Upsert
    upsert(
      @Repeatable() request: RepeatableRequest,
      @PartsOfRequest(UPSERT) parts: PartsOf<typeof UPSERT>,
      @Entity(ENTITY) answer: EntityAnswer,
    ): Promise<RecordView> {
      const { query, body: fields, preconditions, failures } = parts;
      const write = { ...named(parts), fields, preconditions };
      return this.requests.once(request, async (client) => {
        const { record, created } = await this.upserts.upsert(client, write, { ...query, failures });
        return created ? answer.created(record) : answer.present(record);
      });
    }

    @routes.Archive
    archive(
      @Repeatable() request: RepeatableRequest,
      @PartsOfRequest(ARCHIVE) parts: PartsOf<typeof ARCHIVE>,
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
      @PartsOfRequest(HISTORY) { id, query, failures }: PartsOf<typeof HISTORY>,
    ): Promise<HistoryPage> {
      return this.history.list(client, { objectType, id }, { ...query, failures });
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
