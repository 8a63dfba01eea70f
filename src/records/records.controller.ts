import { Controller, Delete, Get, HttpCode, Param, Patch, Post, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ClientContext } from '../auth/index.js';
import { Client, RequireScope } from '../auth/http.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import {
  after,
  archived,
  limit,
  LocatedAs,
  NoQueryParameters,
  offset,
  PartsOfRequest,
  properties,
  type Located,
  type Page,
  type PageRequest,
  type RequestParts,
} from '../http/index.js';
import { recordBody } from './record-body.js';
import * as documented from './record.documentation.js';
import type { RecordView } from './record-view.js';
import { RecordsService } from './records.service.js';

const LIST = { limit, offset, after, archived, properties };

interface Properties {
  readonly properties: readonly string[];
}

interface ListQuery extends PageRequest, Properties {
  readonly after: string | undefined;
}

type Write = RequestParts<Properties, unknown>;

/**
 * Creates the controller of one object type (clauses 4.2 to 4.4). Each object type has a class, because its
 * paths have their own id parameter and their own schemas.
 */
export function recordsController(objectType: ObjectType): Type {
  const parameter = `${OBJECT_TYPE_RULES[objectType].singular}Id`;
  const path = `:${parameter}`;
  const query = { properties };

  @ApiTags(objectType.charAt(0).toUpperCase() + objectType.slice(1))
  @Controller(objectType)
  class RecordsController {
    constructor(private readonly records: RecordsService) {}

    @Get()
    @RequireScope('records:read')
    @documented.List(objectType)
    list(
      @Client() client: ClientContext,
      @PartsOfRequest({ query: LIST }) { query, failures }: RequestParts<ListQuery, never>,
    ): Promise<Page<RecordView>> {
      return this.records.list(client, objectType, { ...query, failures });
    }

    @Post()
    @RequireScope('records:write')
    @documented.Create(objectType)
    create(
      @Client() client: ClientContext,
      @PartsOfRequest({ query, body: recordBody }) { body: fields, query: selection, failures }: Write,
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
      @PartsOfRequest({ parameter, query })
      { id, query: selection, failures }: RequestParts<Properties, never>,
    ): Promise<RecordView> {
      return this.records.get(client, { objectType, id }, { ...selection, failures });
    }

    @Patch(path)
    @RequireScope('records:write')
    @documented.Update(objectType)
    update(
      @Client() client: ClientContext,
      @PartsOfRequest({ parameter, query, body: recordBody })
      { id, body: fields, query: selection, failures }: Write,
    ): Promise<RecordView> {
      return this.records.update(client, { objectType, id, fields }, { ...selection, failures });
    }

    @Delete(path)
    @HttpCode(200)
    @NoQueryParameters()
    @RequireScope('records:write')
    @documented.Archive(objectType)
    archive(@Client() client: ClientContext, @Param(parameter) id: string): Promise<RecordView> {
      return this.records.archive(client, { objectType, id });
    }
  }

  Object.defineProperty(RecordsController, 'name', { value: `${objectType}Controller` });
  return RecordsController;
}
