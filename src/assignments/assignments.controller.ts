import { Controller, Get, Param } from '@nestjs/common';
import type { ClientContext } from '../auth/index.js';
import { Client, RequireScope } from '../auth/http.js';
import {
  ApiId,
  ApiRoute,
  ApiTags,
  NoQueryParameters,
  type Page,
  type ParameterParser,
  QueryParameters,
  after,
  described,
  instant,
  limit,
  offset,
  oneOf,
  optionalFlag,
  optionalInteger,
  optionalText,
  text,
} from '../http/index.js';
import {
  AssignmentsService,
  type AssignmentCounts,
  type AssignmentFilters,
  type AssignmentQuery,
  type AssignmentView,
} from './assignments.service.js';
import { SUMMARY_BY, type SummaryBy } from './log-statements.js';

const named = (description: string, what: string): ParameterParser<string | undefined> =>
  described(optionalText, { description, schema: text(what) });

const FILTERS = {
  router_id: named('Those of this router', 'An id'),
  object_id: named('Those of this record', 'An id'),
  user: named(
    'Those that gave the record to this user: an e-mail. Runs that kept the owner did not',
    'An e-mail',
  ),
  reason: named('Those with this reason', 'A reason'),
  assigned: optionalFlag('Whether somebody has the record by it, also who had it already'),
  rule: named('Those of the rule with this name', 'The name of a rule'),
  step: optionalInteger(
    { min: 0, max: 20 },
    'Those that this step decided; 0 is the own pool of the router or rule',
  ),
  from: instant('Those at this instant or later'),
  to: instant('Those before this instant'),
};
const QUERY = { limit, offset, after, ...FILTERS };
const SUMMARY = {
  by: oneOf(SUMMARY_BY, { description: 'What the entries of a line have in common', required: true }),
  ...FILTERS,
};

@ApiTags('Assignments')
@Controller('assignments')
@RequireScope('routers:read')
export class AssignmentsController {
  constructor(private readonly assignments: AssignmentsService) {}

  /** Lists assignments, to somebody or nobody, newest first (contract section 6). */
  @Get()
  @ApiRoute({
    summary: 'List assignments',
    id: 'listAssignments',
    description:
      'Every run of a router, to somebody or nobody, newest first. The explanation is in the single one.',
    answer: { is: 'The assignments', schema: 'AssignmentList' },
  })
  list(
    @Client() client: ClientContext,
    @QueryParameters(QUERY) query: AssignmentQuery,
  ): Promise<Page<AssignmentView>> {
    return this.assignments.list(client, query);
  }

  /** Counts assignments by what they have in common (contract section 6). */
  @Get('summary')
  @ApiRoute({
    summary: 'Count assignments',
    id: 'summarizeAssignments',
    description:
      'How many entries of the log match, by user, rule, reason or day in UTC: the largest numbers first, days in ' +
      'their order, and null for no user and no rule. `total` is of all lines, also of those behind the 1,000th.',
    answer: { is: 'The numbers', schema: 'AssignmentCounts' },
  })
  summarize(
    @Client() client: ClientContext,
    @QueryParameters(SUMMARY) query: AssignmentFilters & { readonly by: SummaryBy },
  ): Promise<AssignmentCounts> {
    return this.assignments.summarize(client, query);
  }

  /** Returns one assignment with its trace: every step of the decision, in order. */
  @Get(':assignmentId')
  @NoQueryParameters()
  @ApiRoute({
    summary: 'Read one assignment with its explanation',
    id: 'readAssignment',
    description:
      '`trace` has every step that was weighed, in order: each condition with the value that it saw, each ' +
      'candidate with why it was in or out, and the numbers that decided.',
    answer: { is: 'The assignment', schema: 'Assignment' },
    errors: [404],
  })
  @ApiId('assignmentId')
  get(
    @Client() client: ClientContext,
    @Param('assignmentId') id: string,
  ): Promise<AssignmentView & { trace: unknown }> {
    return this.assignments.get(client, id);
  }
}
