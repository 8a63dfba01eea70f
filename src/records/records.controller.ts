import { Controller, Delete, Get, HttpCode, Patch, Post, Put, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ClientContext } from '../auth/index.js';
import { Client, RequireScope } from '../auth/http.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import {
  after,
  archived,
  limit,
  CreatedBeside,
  LocatedAs,
  offset,
  PartsOfRequest,
  properties,
  type Located,
  type Page,
  type PageRequest,
  type RequestParts,
  ValidRequest,
} from '../http/index.js';
import { KeyedRecordsService } from './keyed-records.service.js';
import { recordBody } from './record-body.js';
import * as documented from './record.documentation.js';
import { idProperty, requiredIdProperty } from './id-property.js';
import type { RecordView } from './record-view.js';
import type { ExpandedView } from './references/expanded-view.js';
import { RecordExpander } from './references/record-expander.js';
import { RecordsService } from './records.service.js';

const LIST = { limit, offset, after, archived, properties, expand: properties };

interface Properties {
  readonly properties: readonly string[];
}

/** What of a record an answer shows. */
interface Shown extends Properties {
  readonly expand: readonly string[];
}

interface ListQuery extends PageRequest, Shown {
  readonly after: string | undefined;
}

/** How the path names a record: by its id, or by a unique key. */
interface Named {
  readonly id_property: string | undefined;
}

type Write = RequestParts<Properties, unknown>;
type NamedWrite = RequestParts<Properties & Named, unknown>;

/**
 * Creates the controller of one object type (clauses 4.2 to 4.4). Each object type has a class, because its
 * paths have their own id parameter and their own schemas.
 */
export function recordsController(objectType: ObjectType): Type {
  const parameter = `${OBJECT_TYPE_RULES[objectType].singular}Id`;
  const path = `:${parameter}`;
  const id_property = idProperty(objectType);
  const query = { properties, id_property };
  const READ = { ...query, expand: properties };
  const UPSERT = { properties, id_property: requiredIdProperty(objectType) };

  @ApiTags(objectType.charAt(0).toUpperCase() + objectType.slice(1))
  @Controller(objectType)
  class RecordsController {
    constructor(
      private readonly records: RecordsService,
      private readonly keyed: KeyedRecordsService,
      private readonly expander: RecordExpander,
    ) {}

    @Get()
    @RequireScope('records:read')
    @documented.List(objectType)
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
    @documented.Create(objectType)
    create(
      @Client() client: ClientContext,
      @PartsOfRequest({ query: { properties }, body: recordBody })
      { body: fields, query: selection, failures }: Write,
      @LocatedAs(objectType) located: Located,
    ): Promise<RecordView> {
      const options = { ...selection, failures };
      return this.records.create(client, { objectType, fields }, options).then(located);
    }

    @Get(path)
    @RequireScope('records:read')
    @documented.Read(objectType)
    get(
      @Client() client: ClientContext,
      @PartsOfRequest({ parameter, query: READ })
      { id, query: { id_property: by, expand, ...selection }, failures }: RequestParts<Shown & Named, never>,
    ): Promise<ExpandedView> {
      return this.expander.item(
        client,
        { objectType, expand, selection: { ...selection, failures } },
        (options) =>
          by === undefined
            ? this.records.get(client, { objectType, id }, options)
            : this.keyed.get(client, { objectType, named: { property: by, value: id } }, options),
      );
    }

    @Patch(path)
    @RequireScope('records:write')
    @documented.Update(objectType)
    update(
      @Client() client: ClientContext,
      @PartsOfRequest({ parameter, query, body: recordBody })
      { id, body: fields, query: { id_property: by, ...selection }, failures }: NamedWrite,
    ): Promise<RecordView> {
      const options = { ...selection, failures };
      if (by === undefined) return this.records.update(client, { objectType, id, fields }, options);
      return this.keyed.update(client, { objectType, named: { property: by, value: id }, fields }, options);
    }

    @Put(path)
    @RequireScope('records:write')
    @documented.Upsert(objectType)
    async upsert(
      @Client() client: ClientContext,
      @PartsOfRequest({ parameter, isStored: true, query: UPSERT, body: recordBody })
      { id: value, body: fields, query: { id_property: property, ...selection }, failures }: NamedWrite,
      @CreatedBeside(objectType) located: Located,
    ): Promise<RecordView> {
      const named = property === undefined ? undefined : { property, value };
      const written = { objectType, named, fields };
      const { record, created } = await this.keyed.upsert(client, written, { ...selection, failures });
      return created ? located(record) : record;
    }

    @Delete(path)
    @HttpCode(200)
    @RequireScope('records:write')
    @documented.Archive(objectType)
    archive(
      @Client() client: ClientContext,
      @ValidRequest({ parameter, query: { id_property } })
      { id, query: { id_property: by } }: RequestParts<Named, never>,
    ): Promise<RecordView> {
      if (by === undefined) return this.records.archive(client, { objectType, id });
      return this.keyed.archive(client, { objectType, named: { property: by, value: id } });
    }
  }

  Object.defineProperty(RecordsController, 'name', { value: `${objectType}Controller` });
  return RecordsController;
}
