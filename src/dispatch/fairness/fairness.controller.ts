import { Controller, Get } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { Client, RequireScope } from '../../auth/http.js';
import {
  ApiId,
  ApiRoute,
  ApiTags,
  described,
  instant,
  optionalText,
  type RequestParts,
  text,
  ValidRequest,
} from '../../http/index.js';
import { FairnessService, type FairnessQuery } from './fairness.service.js';

const QUERY = {
  from: instant('Turns at this instant or later; 30 days before `to` unless given'),
  to: instant('Turns before this instant; now unless given'),
  rule: described(optionalText, {
    description: 'The rotations of the rule with this name alone',
    schema: text('The name of a rule'),
  }),
};

@ApiTags('Routers')
@Controller('routers')
@RequireScope('routers:read')
export class FairnessController {
  constructor(private readonly fairness: FairnessService) {}

  /** Says how the turns of a router were shared (contract section 11.1). */
  @Get(':routerId/fairness')
  @ApiRoute({
    summary: 'How the turns of a router were shared',
    id: 'readRouterFairness',
    description:
      'By rotation: what each member had, and what was fair. Of a rotation at most 5,000 turns are read, the newest ' +
      'first, and of the log 20,000 entries: `kept` is false then, and `from` of the rotation says since when.',
    answer: { is: 'The rotations', schema: 'RouterFairness' },
    errors: [404, 409],
  })
  @ApiId('routerId')
  read(
    @Client() client: ClientContext,
    @ValidRequest({ parameter: 'routerId', query: QUERY }) { id, query }: RequestParts<FairnessQuery, never>,
  ): ReturnType<FairnessService['read']> {
    return this.fairness.read(client, id, query);
  }
}
