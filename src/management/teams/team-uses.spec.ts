import type { CapacitiesRepository } from '../../capacities/index.js';
import { team } from '../../../test/units/configuration.js';
import type { RoutersRepository } from '../../routers/index.js';
import { newRun } from '../../../test/units/apply.js';
import { TeamUses } from './team-uses.js';

const pool = (...names: string[]) => names.map((name) => ({ teamId: team(name).id }));
const rules = (name: string, ...teams: string[]) => ({
  rules: [{ name, teams: pool(...teams) }],
});
const ROUTERS = [
  { name: 'Inbound', teams: pool('Sales'), settings: rules('VIP', 'Sales', 'Nord') },
  {
    name: 'Shares',
    teams: pool('Sales'),
    settings: null,
    draft: { name: 'Shares', users: [], teams: pool('Sales', 'West'), settings: rules('New', 'Sales') },
  },
];

describe('the uses of teams', () => {
  it('are pools, rules and drafts of routers and capacities, which are read once for all teams [contract 6]', async () => {
    let reads = 0;
    const uses = new TeamUses(
      { listWithDrafts: () => Promise.resolve((reads++, ROUTERS)) } as unknown as RoutersRepository,
      {
        list: () => Promise.resolve([{ name: 'Open', teams: pool('Nord') }]),
      } as unknown as CapacitiesRepository,
    );
    const found = await uses.find(
      newRun(),
      ['Sales', 'Nord', 'West', 'Empty'].map((name) => team(name)),
    );
    expect(found).toEqual([
      [
        'the router Inbound',
        'the router Inbound (rule VIP)',
        'the router Shares',
        'the router Shares (rule New)',
      ],
      ['the router Inbound (rule VIP)', 'the capacity Open'],
      ['the router Shares'],
      [],
    ]);
    expect(reads).toBe(1);
  });
});
