import { usesOf } from './team-uses.js';

const SALES = { id: 'id-sales', name: 'Sales', memberIds: [] };

describe('the uses of a team by a router', () => {
  it('are its pool, by id, and its rules and steps, by name [contract 6]', () => {
    const settings = {
      rules: [
        { name: 'VIP', teams: [{ name: 'Sales' }] },
        { name: 'Rest', teams: [] },
      ],
    };
    const router = { name: 'Inbound', teams: [{ teamId: 'id-sales' }], settings };
    expect(usesOf(router, SALES)).toEqual(['the router Inbound', 'the router Inbound (rule VIP)']);
    expect(usesOf({ ...router, teams: [{ teamId: 'id-nord' }], settings: null }, SALES)).toEqual([]);
  });
});
