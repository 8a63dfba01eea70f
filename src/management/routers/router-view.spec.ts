import { configurationOf, routerOf, stored, team } from '../../../test/units/configuration.js';
import { user } from '../../../test/units/engine-fixtures.js';
import { routerView } from './router-view.js';

const { directory } = configurationOf({
  users: [user('ada', { name: 'Ada', timezone: 'Europe/Paris', available: false }), user('bob')],
  teams: [team('Sales', 'bob', 'gone', 'ada')],
});

describe('the view of a router', () => {
  it('has the keys of the contract, the pool by name, and nothing of who is gone [contract 4]', () => {
    const router = routerOf('R', [], {
      published: true,
      users: [{ userId: 'id-ada', percentage: 40 }, { userId: 'id-gone' }, { userId: 'id-bob' }],
      teams: [{ teamId: 'id-team-gone' }, { teamId: 'id-team-Sales', percentage: 60 }],
    });
    expect(routerView(router, directory)).toEqual({
      id: 'R',
      name: 'Router R',
      object_type: 'contacts',
      has_integration: false,
      is_published: true,
      settings: stored(),
      users: [
        { id: 'id-ada', email: 'ada@acme.test', name: 'Ada', timezone: 'Europe/Paris', available: false, percentage: 40 },
        { id: 'id-bob', email: 'bob@acme.test', name: null, timezone: 'UTC', available: true },
      ],
      teams: [{ id: 'id-team-Sales', name: 'Sales', members: ['bob@acme.test', 'ada@acme.test'], percentage: 60 }],
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-02-02T00:00:00.000Z',
      archived: false,
    });
  }); // prettier-ignore

  it('leaves percentages out where there are none [contract 4]', () => {
    const view = routerView(routerOf('R', ['bob'], { teams: [{ teamId: 'id-team-Sales' }] }), directory);
    for (const entry of [...view.users, ...view.teams]) expect(entry).not.toHaveProperty('percentage');
  });

  it('has every default of the settings, but null for a router that was never given any [contract 4]', () => {
    const sparse = routerOf('R', [], { settings: { overwrite: true } });
    expect(routerView(sparse, directory).settings).toEqual(stored({ overwrite: true }));
    expect(routerView(routerOf('R', [], { settings: null }), directory).settings).toBeNull();
  });

  it('says when and by whom a router was archived, which may be nobody known [2.1]', () => {
    const archivedAt = new Date('2026-03-03T00:00:00Z');
    const view = routerView(routerOf('R', [], { archivedAt, archivedBy: 'client' }), directory);
    expect(view).toMatchObject({ archived: '2026-03-03T00:00:00.000Z', archived_by: 'client' });
    expect(routerView(routerOf('R', [], { archivedAt }), directory)).toHaveProperty('archived_by', null);
    expect(routerView(routerOf('R', []), directory)).not.toHaveProperty('archived_by');
  });
});
