import type { RouterConfiguration, RouterSettings } from '../model/router-configuration.js';
import {
  contact,
  directory,
  engine,
  fields,
  routeAndDecide,
  router,
  settings,
  user,
} from '../../../test/units/engine-fixtures.js';
import type { Capacity } from '../model/workload.js';
import type { Ask, Facts } from './book.js';
import { decide } from './decide.js';

const OWN = [{ routerId: 'router-1', key: '' }];
const NOTHING = { assigned: [], owned: [], capacities: new Map(), rotations: OWN };
const seat = (name: string) => ({ email: `${name}@acme.test` });
const users = directory(
  user('ada'),
  user('bob', { limits: { day: 5 } }),
  user('eve', { limits: { window: 'calendar', hour: 0 } }),
  user('dan', { limits: { month: 9 } }),
);
const needs = (
  chosen: Partial<RouterSettings>,
  given: Partial<Ask & Facts> = {},
  config: Partial<RouterConfiguration> = { users: [seat('ada')] },
) => {
  const { record = contact(), matchedOwner = null, capacities = [] } = given;
  const compiled = engine.compile(router({ ...config, settings: settings(chosen) }), fields);
  const ask = { router: compiled, record, routed: engine.route(compiled, record), matchedOwner };
  return engine.needs([ask], { users, capacities });
};
const capacity = (name: string, ...emails: string[]): Capacity => ({
  name,
  objectType: 'contacts',
  field: 'region',
  values: ['emea'],
  maxByEmail: new Map(emails.map((email) => [`${email}@acme.test`, 3])),
});
const emea = contact({ region: 'emea' });
const all = { users: ['ada', 'bob', 'eve', 'gone'].map(seat) };

describe('what a decision needs', () => {
  it('is nothing for a round robin without limits', () => {
    expect(needs({}, { capacities: [capacity('Open', 'ada')] })).toEqual(NOTHING);
  });

  it('is the assignments of those who have a limit', () => {
    expect(needs({}, {}, all)).toEqual({ ...NOTHING, assigned: ['bob@acme.test'] });
  });

  it('is the records of those with a maximum that the record counts towards', () => {
    const capacities = [capacity('Open', 'ada', 'dan'), capacity('Other', 'dan')];
    expect(needs({}, { record: emea, capacities }, all).capacities).toEqual(
      new Map([['Open', ['ada@acme.test']]]),
    );
  });

  it('is what everyone owns where loads are compared, unless all have a maximum', () => {
    const model = { distributionModel: 'load balanced' };
    expect(needs(model).owned).toEqual(['ada@acme.test']);
    expect(needs(model, { record: emea, capacities: [capacity('Open', 'ada')] })).toEqual({
      ...NOTHING,
      capacities: new Map([['Open', ['ada@acme.test']]]),
    });
    expect(needs(model, { record: emea, capacities: [capacity('Open', 'ada')] }, all).owned).toEqual([
      'ada@acme.test',
      'bob@acme.test',
      'eve@acme.test',
    ]);
  });

  it('is that of a matched owner, too', () => {
    const matchedOwner = { companyId: 'c', host: 'h', owner: 'Dan@acme.test' };
    expect(needs({ accountMatching: true }, { matchedOwner }).assigned).toEqual(['dan@acme.test']);
    expect(needs({}, { matchedOwner }).assigned).toEqual([]);
  });

  it('is nothing where the decision is made already', () => {
    const never = { groups: [{ conditions: [{ field: 'first_name', operator: 'is_not_empty' }] }] };
    const none = { ...NOTHING, rotations: [] };
    expect(needs({ trigger: never }, {}, all)).toEqual(none);
    const owned = { record: contact({ contact_owner: 'eve@acme.test' }) };
    expect(needs({}, owned, all)).toEqual(none);
    expect(needs({ overwrite: true }, owned, all).assigned).toEqual(['bob@acme.test']);
  });

  it('is that of several records, of whatever routers, once each', () => {
    const balanced = { distributionModel: 'load balanced' };
    const rules = [{ name: 'A', trigger: { groups: [] }, users: [seat('bob')], teams: [] }];
    const [one, two] = [
      engine.compile(router({ id: 'R', ...all, settings: settings() }), fields),
      engine.compile(router({ id: 'S', settings: settings({ ...balanced, rules }) }), fields),
    ];
    const asks = [one, two, one].map((each): Ask => {
      return { router: each, record: emea, routed: engine.route(each, emea), matchedOwner: null };
    });
    const capacities = [capacity('x', 'ada'), capacity('y', 'ada', 'eve')];
    expect(engine.needs(asks, { users, capacities })).toEqual({
      assigned: ['bob@acme.test'],
      owned: ['bob@acme.test'],
      capacities: new Map([
        ['x', ['ada@acme.test']],
        ['y', ['ada@acme.test', 'eve@acme.test']],
      ]),
      rotations: [
        { routerId: 'R', key: '' },
        { routerId: 'S', key: 'rule:A' },
      ],
    });
    expect(engine.needs([], { users, capacities })).toEqual({ ...NOTHING, rotations: [] });
  });

  it('lets the decision go on from where the routing ended', () => {
    const read: string[] = [];
    const record = {
      ...contact({ region: 'emea' }),
      get: (field: string) => {
        read.push(field);
        return field === 'region' ? 'emea' : undefined;
      },
    };
    const trigger = { groups: [{ conditions: [{ field: 'region', operator: 'eq', value: 'emea' }] }] };
    const compiled = engine.compile(router({ ...all, settings: settings({ trigger }) }), fields);
    const routed = engine.route(compiled, record);
    const given = {
      record,
      users,
      matchedOwner: null,
      rotations: new Map(),
      at: new Date(0),
    };
    const decision = decide(routed, engine.extensions.checks, given);
    expect(read.filter((field) => field === 'region')).toHaveLength(1);
    expect(decision).toEqual(routeAndDecide(compiled, given));
  });
});
