import { capacity, configurationOf, routerOf, STANDARD, stored } from '../../../test/units/configuration.js';
import type { EligibilityCheck } from '../../engine/index.js';
import { BUILTINS, user } from '../../../test/units/engine-fixtures.js';
import { ACME, snapshots } from '../../../test/units/decisions.js';

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
      routerVersion: 1,
      name: 'Router R',
      objectType: 'contacts',
      compiled: expect.objectContaining({ id: 'R', published: true }),
      ownerField: 'partner',
      matchesAccounts: true,
      capacities: [expect.objectContaining({ name: 'Leads' })],
      counted: expect.arrayContaining([{ objectType: 'contacts', ownerField: 'partner' }]),
      returning: new Map(),
      unread: [],
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

  describe('say which long fields no decision reads', () => {
    const names = ['in_trigger', 'in_rule', 'in_capacity', 'notes'];
    const condition = (field: string) => ({
      conditions: [{ field, operator: 'is_not_empty', value: undefined }],
    });
    const trigger = { groups: [condition('in_trigger')] };
    const rule = {
      name: 'A',
      trigger: { groups: [condition('in_rule')] },
      users: [],
      teams: [],
      distributionModel: null,
      rotationType: null,
    };
    const configuration = configurationOf({
      users: [user('ada')],
      fields: [...STANDARD, ...names.map((internalName) => ({ ...STANDARD[0]!, internalName, long: true }))],
      capacities: [capacity('Leads', { field: 'in_capacity' })],
      routers: [routerOf('R', ['ada'], { settings: stored({ trigger, rules: [rule] }) })],
    });

    it('by triggers, rules and capacities [contract 4]', () => {
      expect(snapshots().get(ACME, configuration, 'R').unread).toEqual(['notes']);
    });

    it('which is none where a check or a model of an extension may read any', () => {
      const check: EligibilityCheck = { id: 'own', group: 'workload', check: () => ({ pass: true }) };
      const model = { ...BUILTINS.models[0]!, id: 'own' };
      for (const more of [{ checks: [...BUILTINS.checks, check] }, { models: [...BUILTINS.models, model] }]) {
        const all = snapshots({ ...BUILTINS, ...more });
        expect(all.get(ACME, configuration, 'R').unread).toEqual([]);
      }
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
    expect(all.get(ACME, first, 'Draft').counted).toBe(snapshot.counted);
  });

  it('keep what is compiled while neither the router nor whom and what it names changes', () => {
    const all = snapshots();
    const first = configured('1');
    const { compiled } = all.get(ACME, first, 'R');
    const away = { ...user('ada', { available: false }), archivedAt: null };
    const directory = first.directory.with({ users: [away], teams: undefined, holidays: [] });
    const switched = { ...first, version: '2', directory };
    expect(all.get(ACME, switched, 'R').compiled).toBe(compiled);
    expect(all.get(ACME, switched, 'R').directory.findUser('ada@acme.test')?.available).toBe(false);

    const eve = { ...user('eve'), archivedAt: null };
    const joined = { ...first, version: '3', directory: directory.with({ users: [eve], teams: undefined, holidays: [] }) }; // prettier-ignore
    expect(all.get(ACME, joined, 'R').compiled).not.toBe(compiled);
    const fields = { ...first, version: '4', catalog: configured('4').catalog };
    expect(all.get(ACME, fields, 'R').compiled).not.toBe(compiled);
    const changed = { ...first, version: '5', routers: configured('5').routers };
    expect(all.get(ACME, changed, 'R').compiled).not.toBe(compiled);
  });

  it('know no router that is unknown or archived [4.6]', () => {
    expect(() => snapshots().get(ACME, configured('1'), 'S')).toThrow(
      expect.objectContaining({ status: 404, message: 'Router not found' }),
    );
  });
});
