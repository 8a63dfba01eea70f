import { Controller, Get } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { Client, RequireScope } from '../../auth/http.js';
import { isId } from '../../database/index.js';
import {
  ApiErrors,
  ApiOperation,
  ApiResponse,
  ApiTags,
  INSTANT,
  ParameterError,
  type ParameterParser,
  QueryParameters,
  after,
  described,
  limit,
  optionalText,
  reference,
  text,
} from '../../http/index.js';
import { parseInstant } from '../../time/parse-instant.js';
import { CHANGED_KINDS } from '../change/configuration-change.js';
import { AuditService, type AuditPage, type AuditQuery } from './audit.service.js';

/** An instant that is sent at most once. Undefined where it is absent. */
const instant: ParameterParser<Date | undefined> = (raw, name, query) => {
  const sent = optionalText(raw, name, query);
  if (sent === undefined) return undefined;
  const milliseconds = parseInstant(sent);
  if (milliseconds === undefined) throw new ParameterError(`${name} must be an ISO 8601 date and time`);
  return new Date(milliseconds);
};

/** The id of an object, or a kind of them, that is sent at most once. Undefined where it is absent. */
const changedObject = described<string | undefined>(
  (raw, name, query) => {
    const sent = optionalText(raw, name, query);
    if (sent === undefined || isId(sent) || CHANGED_KINDS.some((kind) => kind === sent)) return sent;
    throw new ParameterError(`${name} must be the id of an object, or one of ${CHANGED_KINDS.join(', ')}`);
  },
  {
    description: 'Those of an object, by its id, or of all objects of a kind, such as `user`',
    schema: text('An id or a kind'),
  },
);

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
