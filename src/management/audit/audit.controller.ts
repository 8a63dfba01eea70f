import { Controller, Get } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { Client, RequireScope } from '../../auth/http.js';
import {
  ApiAfter,
  ApiErrors,
  ApiFilter,
  ApiLimit,
  ApiOperation,
  ApiResponse,
  ApiTags,
  INSTANT,
  QueryParameters,
  after,
  limit,
  optionalText,
  reference,
  text,
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
  @ApiOperation({
    summary: 'List changes of the configuration',
    operationId: 'listAudit',
    description:
      'Newest first: every change by a request or by a command, with each key that it changed. Secrets never.',
  })
  @ApiFilter(
    'object',
    'Those of an object, by its id, or of all objects of a kind, such as `user`',
    text('An id or a kind'),
  )
  @ApiFilter(
    'by',
    'Those of a client, by its id, or of a command, by its name: `apply`, `client create`',
    text('An id or a name'),
  )
  @ApiFilter('from', 'Those at this instant or later', INSTANT)
  @ApiFilter('to', 'Those before this instant', INSTANT)
  @ApiLimit()
  @ApiAfter()
  @ApiResponse({ status: 200, description: 'The changes', schema: reference('AuditPage') })
  @ApiErrors(400, 401, 403)
  list(
    @Client() client: ClientContext,
    @QueryParameters({ object: changedObject, by: optionalText, from: instant, to: instant, limit, after })
    query: AuditQuery,
  ): Promise<AuditPage> {
    return this.audit.list(client, query);
  }
}
