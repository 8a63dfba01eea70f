import type { CapacitiesRepository } from '../../capacities/index.js';
import type { DirectoryRepository, TeamEntity } from '../../directory/index.js';
import { team } from '../../../test/units/configuration.js';
import type { RoutersRepository } from '../../routers/index.js';
import { newRun } from '../../../test/units/apply.js';
import { ConfigurationUses } from '../change/configuration-uses.js';
import { TeamsKind } from './teams.kind.js';

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
    const kind = new TeamsKind(
      {} as DirectoryRepository,
      new ConfigurationUses(
        { listWithDrafts: () => Promise.resolve((reads++, ROUTERS)) } as unknown as RoutersRepository,
        {
          list: () => Promise.resolve([{ name: 'Open', values: [], teams: pool('Nord') }]),
        } as unknown as CapacitiesRepository,
      ),
    );
    const teams = ['Sales', 'Nord', 'West', 'Empty'].map((name) => team(name) as TeamEntity);
    const found = await kind.uses(newRun(), teams);
    const messages = teams.map(({ id }) => found.get(id)?.message);
    expect(messages).toEqual([
      'The team Sales is in use: the router Inbound, the router Inbound (rule VIP), the router Shares, the router Shares (rule New)',
      'The team Nord is in use: the router Inbound (rule VIP), the capacity Open',
      'The team West is in use: the router Shares',
      undefined,
    ]);
    expect(reads).toBe(1);
  });
});
