import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ClientContext } from '../../auth/index.js';
import { Client, RequireScope } from '../../auth/http.js';
import {
  after,
  ApiAfter,
  ApiErrors,
  ApiFilter,
  ApiLimit,
  limit,
  optionalText,
  QueryParameters,
  reference,
} from '../../http/index.js';
import { instant } from './instant.parameter.js';
import { changedObject } from './object.parameter.js';
import { AuditService, type AuditPage, type AuditQuery } from './audit.service.js';

@ApiTags('Audit')
@Controller('audit')
@RequireScope('manage')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  /** Lists the changes of the account's configuration, newest first (contract section 6). */
  @Get()
  @ApiOperation({ summary: 'List changes of the configuration', operationId: 'listAudit' })
  @ApiFilter('object', 'Those of an object, by its id, or of all objects of a kind, such as `user`')
  @ApiFilter('by', 'Those of a client, by its id, or of a command, by its name: `apply`, `client create`')
  @ApiFilter('from', 'Those at this instant or later', 'date-time')
  @ApiFilter('to', 'Those before this instant', 'date-time')
  @ApiLimit()
  @ApiAfter()
  @ApiResponse({ status: 200, description: 'Done', schema: reference('AuditPage') })
  @ApiErrors(400, 401, 403)
  list(
    @Client() client: ClientContext,
    @QueryParameters({ object: changedObject, by: optionalText, from: instant, to: instant, limit, after })
    query: AuditQuery,
  ): Promise<AuditPage> {
    return this.audit.list(client, query);
  }
}
