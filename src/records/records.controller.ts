import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, type Type } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Client, RequireScope, type ClientContext } from '../auth/index.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import {
  archived,
  limit,
  offset,
  properties,
  QueryParameters,
  type Page,
  type PageRequest,
} from '../http/index.js';
import { RecordBodyPipe } from './record-body.pipe.js';
import * as documented from './record.documentation.js';
import type { RecordView } from './record-view.js';
import { RecordsService } from './records.service.js';

const PROPERTIES = { properties };
const LIST = { limit, offset, archived, properties };

interface Properties {
  readonly properties: readonly string[];
}

/**
 * The controller of one object type (clauses 4.2 to 4.4). A class for each, so that every path has its own id
 * parameter and its own schemas.
 */
export function recordsController(objectType: ObjectType): Type {
  const item = `:${OBJECT_TYPE_RULES[objectType].singular}Id`;

  @ApiTags(objectType.charAt(0).toUpperCase() + objectType.slice(1))
  @Controller(objectType)
  class RecordsController {
    constructor(private readonly records: RecordsService) {}

    @Get()
    @RequireScope('records:read')
    @documented.List(objectType)
    list(
      @Client() client: ClientContext,
      @QueryParameters(LIST) query: PageRequest & Properties,
    ): Promise<Page<RecordView>> {
      return this.records.list(client, objectType, query);
    }

    @Post()
    @RequireScope('records:write')
    @documented.Create(objectType)
    create(
      @Client() client: ClientContext,
      @Body(RecordBodyPipe) fields: unknown,
      @QueryParameters(PROPERTIES) query: Properties,
    ): Promise<RecordView> {
      return this.records.create(client, { objectType, fields }, query);
    }

    @Get(item)
    @RequireScope('records:read')
    @documented.Read(objectType)
    get(
      @Client() client: ClientContext,
      @Param(item.slice(1)) id: string,
      @QueryParameters(PROPERTIES) query: Properties,
    ): Promise<RecordView> {
      return this.records.get(client, { objectType, id }, query);
    }

    @Patch(item)
    @RequireScope('records:write')
    @documented.Update(objectType)
    update(
      @Client() client: ClientContext,
      @Param(item.slice(1)) id: string,
      @Body(RecordBodyPipe) fields: unknown,
      @QueryParameters(PROPERTIES) query: Properties,
    ): Promise<RecordView> {
      return this.records.update(client, { objectType, id, fields }, query);
    }

    @Delete(item)
    @HttpCode(200)
    @RequireScope('records:write')
    @documented.Archive(objectType)
    archive(
      @Client() client: ClientContext,
      @Param(item.slice(1)) id: string,
      @QueryParameters({}) _query: object,
    ): Promise<RecordView> {
      return this.records.archive(client, { objectType, id });
    }
  }

  Object.defineProperty(RecordsController, 'name', { value: `${objectType}Controller` });
  return RecordsController;
}
