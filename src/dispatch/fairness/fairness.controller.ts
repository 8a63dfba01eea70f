import { Controller, Get } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { Client, RequireScope } from '../../auth/http.js';
import {
  ApiId,
  ApiRoute,
  ApiTags,
  closedObject,
  described,
  EMAIL,
  instant,
  integer,
  listOf,
  NAME,
  optionalText,
  orNull,
  text,
  TIME,
  ValidRequest,
  wordOf,
  type RequestParts,
  type Schema,
  type Schemas,
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
      'first, and of the log 20,000 entries or 500,000 candidates: `kept` is false then, and `from` of the rotation says since when.',
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

const count = (description: string): Schema => ({ ...integer(0), description });
const number = (description: string): Schema => ({ type: ['number', 'null'], description });

const MEMBER = closedObject({
  user: EMAIL,
  weight: { type: 'number', minimum: 0, maximum: 1, description: 'Part of all shares, of a team of its own' },
  credit: number('What the rotation owes the member now, in turns; null for a model without credits'),
  turns: integer(0),
  fair_share: number('The sum of the shares of the turns for which the member was present'),
  returned: count('Turns of them whose records were taken away soon after'),
  absent: count('Turns for which the member was not eligible'),
  longest_run: count('The most turns in a row'),
  last_at: { ...orNull(TIME), description: 'Of the last turn; null for none' },
});

const ROTATION = closedObject(
  {
    rule: orNull(NAME),
    step: { ...integer(0, 20), description: '0 for the own pool of the router or rule' },
    name: text('Of the rule, or else the router, and the step'),
    model: text('Id of the distribution model'),
    members: listOf(MEMBER),
    worst: {
      description: 'The largest credit behind a turn, of either sign; null where no credit is known',
      oneOf: [
        { type: 'null' },
        closedObject({ user: text('E-mail or team'), credit: { type: 'number' }, at: TIME }),
      ],
    },
    bound: {
      description:
        '`fixed`: the same members were present at each turn, none of which was returned, and no credit passes the ' +
        'value where that was always so. `changing`: nothing bounds credits',
      ...closedObject({ kind: wordOf(['fixed', 'changing']), value: number('In turns') }),
    },
    kept: { type: 'boolean', description: 'Whether all turns of the period are in the numbers' },
    history: {
      ...listOf(
        closedObject({
          at: TIME,
          credits: {
            type: 'object',
            additionalProperties: { type: 'number' },
            description: 'By e-mail or team',
          },
        }),
        200,
      ),
      description: 'Credits behind turns, of those who were present, thinned out',
    },
  },
  { from: { ...TIME, description: 'Where not all turns are kept: since when they are' } },
);

const EXAMPLE = {
  from: '2026-05-11T00:00:00.000Z',
  to: '2026-06-10T00:00:00.000Z',
  rotations: [
    {
      rule: 'Nordic',
      step: 0,
      name: 'Nordic',
      model: 'round robin',
      members: [
        {
          user: 'ada@demo.test',
          weight: 0.5,
          credit: -0.5,
          turns: 12,
          fair_share: 11.5,
          returned: 0,
          absent: 0,
          longest_run: 1,
          last_at: '2026-06-09T14:03:00.000Z',
        },
      ],
      worst: { user: 'ada@demo.test', credit: -0.5, at: '2026-06-09T14:03:00.000Z' },
      bound: { kind: 'fixed', value: 0.5 },
      kept: true,
      history: [
        { at: '2026-06-09T14:03:00.000Z', credits: { 'ada@demo.test': -0.5, 'grace@demo.test': 0.5 } },
      ],
    },
  ],
};

/** Returns the schemas of fairness in the OpenAPI document. */
export function fairnessSchemas(): Schemas {
  const more: Schema = {
    type: 'boolean',
    enum: [true],
    description: 'Where rotations are left out: ask by rule',
  };
  return {
    RouterFairness: {
      ...closedObject({ from: TIME, to: TIME, rotations: listOf(ROTATION) }, { more }),
      examples: [EXAMPLE],
    },
  };
}
