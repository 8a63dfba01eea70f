import { Controller, Get, type Type } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { Client, RequireScope } from '../../auth/http.js';
import { OBJECT_TYPE_RULES, OBJECT_TYPES, type ObjectType } from '../../fields/index.js';
import { ApiTags, PartsOfRequest, type RequestParts, limit, optionalText } from '../../http/index.js';
import { capitalized } from '../../text/capitalized.js';
import { afterChange } from './after-change.parameter.js';
import type { ChangePlace } from './change-cursor.js';
import * as documented from './history.documentation.js';
import { RecordHistoryService, type HistoryPage } from './record-history.service.js';

interface Query {
  readonly field: string | undefined;
  readonly limit: number;
  readonly after: ChangePlace | undefined;
}

/** Creates the controller of the histories of an object type (contract section 7). */
function historyController(objectType: ObjectType): Type {
  const parameter = `${OBJECT_TYPE_RULES[objectType].singular}Id`;

  @ApiTags(capitalized(objectType))
  @Controller(objectType)
  class RecordHistoryController {
    constructor(private readonly history: RecordHistoryService) {}

    @Get(`:${parameter}/history`)
    @RequireScope('records:read')
    @documented.History(objectType)
    list(
      @Client() client: ClientContext,
      @PartsOfRequest({ parameter, query: { field: optionalText, limit, after: afterChange } })
      { id, query, failures }: RequestParts<Query, never>,
    ): Promise<HistoryPage> {
      return this.history.list(client, { objectType, id }, { ...query, failures });
    }
  }

  Object.defineProperty(RecordHistoryController, 'name', { value: `${objectType}HistoryController` });
  return RecordHistoryController;
}

/** The controllers of all histories. */
export const HISTORY_CONTROLLERS: Type[] = OBJECT_TYPES.map(historyController);
