import { capacity, configurationOf, routerOf, stored } from '../../configuration/testing/configuration.js';
import { user } from '../../engine/testing/fixtures.js';
import { ACME, snapshots } from '../testing/decisions.js';

const configured = (version: string) =>
  configurationOf({
    version,
    users: [user('ada')],
    capacities: [capacity('Leads')],
    routers: [
      routerOf('R', ['ada'], { settings: stored({ ownerField: 'partner', accountMatching: true }) }),
      routerOf('Draft', [], { objectType: 'deals', settings: null }),
    ],
  });

describe('RouterSnapshots', () => {
  it('have a router with all that is configured around it [contract 4]', () => {
    const configuration = configured('7');
    const client = { ...ACME, clientId: 'client' };
    expect(snapshots().get(client, configuration, 'R')).toEqual({
      account: ACME,
      version: '7',
      id: 'R',
      name: 'Router R',
      objectType: 'contacts',
      compiled: expect.objectContaining({ id: 'R', published: true }),
      ownerField: 'partner',
      matchesAccounts: true,
      capacities: [expect.objectContaining({ name: 'Leads' })],
      directory: configuration.directory,
      catalog: configuration.catalog,
    });
  });

  it("take the type's own owner field for a router without settings, which matches no accounts [4.6]", () => {
    expect(snapshots().get(ACME, configured('7'), 'Draft')).toMatchObject({
      compiled: { plan: null },
      ownerField: 'deal_owner',
      matchesAccounts: false,
    });
  });

  it('are made once for each router and version', () => {
    const all = snapshots();
    const [first, second] = [configured('1'), configured('2')];
    const snapshot = all.get(ACME, first, 'R');
    expect(all.get(ACME, first, 'R')).toBe(snapshot);
    expect(all.get(ACME, second, 'R')).not.toBe(snapshot);
    expect(all.get(ACME, second, 'R').version).toBe('2');
    expect(all.get(ACME, first, 'Draft').capacities).toBe(snapshot.capacities);
  });

  it('know no router that is unknown or archived [4.6]', () => {
    expect(() => snapshots().get(ACME, configured('1'), 'S')).toThrow(
      expect.objectContaining({ status: 404, message: 'Router not found' }),
    );
  });
});
