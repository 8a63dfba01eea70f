import { Controller, Get } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { Client, RequireScope } from '../../auth/http.js';
import {
  ApiErrors,
  ApiOperation,
  ApiResponse,
  ApiTags,
  INSTANT,
  QueryParameters,
  after,
  described,
  limit,
  optionalText,
  reference,
  text,
} from '../../http/index.js';
import { instant } from './instant.parameter.js';
import { changedObject } from './object.parameter.js';
import { AuditService, type AuditPage, type AuditQuery } from './audit.service.js';

const QUERY = {
  object: changedObject,
  by: described(optionalText, {
    description: 'Those of a client, by its id, or of a command, by its name: `apply`, `client create`',
    schema: text('An id or a name'),
  }),
  from: described(instant, { description: 'Those at this instant or later', schema: INSTANT }),
  to: described(instant, { description: 'Those before this instant', schema: INSTANT }),
  limit,
  after,
};

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
  @ApiResponse({ status: 200, description: 'The changes', schema: reference('AuditPage') })
  @ApiErrors(400, 401, 403)
  list(@Client() client: ClientContext, @QueryParameters(QUERY) query: AuditQuery): Promise<AuditPage> {
    return this.audit.list(client, query);
  }
}
