import { Controller, Get, Param } from '@nestjs/common';
import type { ClientContext } from '../auth/index.js';
import { Client, RequireScope } from '../auth/http.js';
import {
  ApiErrors,
  ApiId,
  ApiOperation,
  ApiResponse,
  ApiTags,
  NoQueryParameters,
  type Page,
  type ParameterParser,
  QueryParameters,
  after,
  described,
  limit,
  offset,
  optionalText,
  reference,
  text,
} from '../http/index.js';
import { AssignmentsService, type AssignmentQuery, type AssignmentView } from './assignments.service.js';

const named = (description: string, what: string): ParameterParser<string | undefined> =>
  described(optionalText, { description, schema: text(what) });

const QUERY = {
  limit,
  offset,
  after,
  router_id: named('Those of this router', 'An id'),
  object_id: named('Those of this record', 'An id'),
  user: named(
    'Those that gave the record to this user: an e-mail. Runs that kept the owner did not',
    'An e-mail',
  ),
};

@ApiTags('Assignments')
@Controller('assignments')
@RequireScope('routers:read')
export class AssignmentsController {
  constructor(private readonly assignments: AssignmentsService) {}

  /** Lists assignments, to somebody or nobody, newest first (contract section 6). */
  @Get()
  @ApiOperation({
    summary: 'List assignments',
    operationId: 'listAssignments',
    description:
      'Every run of a router, to somebody or nobody, newest first. The explanation is in the single one.',
  })
  @ApiResponse({ status: 200, description: 'The assignments', schema: reference('AssignmentList') })
  @ApiErrors(400, 401, 403)
  list(
    @Client() client: ClientContext,
    @QueryParameters(QUERY) query: AssignmentQuery,
  ): Promise<Page<AssignmentView>> {
    return this.assignments.list(client, query);
  }

  /** Returns one assignment with its trace: every step of the decision, in order. */
  @Get(':assignmentId')
  @NoQueryParameters()
  @ApiOperation({
    summary: 'Read one assignment with its explanation',
    operationId: 'readAssignment',
    description:
      '`trace` has every step that was weighed, in order: each condition with the value that it saw, each ' +
      'candidate with why it was in or out, and the numbers that decided.',
  })
  @ApiId('assignmentId')
  @ApiResponse({ status: 200, description: 'The assignment', schema: reference('Assignment') })
  @ApiErrors(400, 401, 403, 404)
  get(
    @Client() client: ClientContext,
    @Param('assignmentId') id: string,
  ): Promise<AssignmentView & { trace: unknown }> {
    return this.assignments.get(client, id);
  }
}
