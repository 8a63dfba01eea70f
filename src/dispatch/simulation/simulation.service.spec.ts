import { configurationOf, FakeConfigurations, routerOf } from '../../../test/units/configuration.js';
import { NOON, user } from '../../../test/units/engine-fixtures.js';
import { storedContact } from '../../../test/units/stored-contact.js';
import { VALIDATOR } from '../../../test/units/no-references.js';
import type { RecordsService } from '../../records/index.js';
import type { SimulateDto } from '../dto/dispatch.dto.js';
import { ACME, assigned, REFUSED } from '../../../test/units/decisions.js';
import { FakeDecider } from '../../../test/units/fake-decider.js';
import { FakeRows } from '../../../test/units/fake-rows.js';
import { rehearsals, SNAPSHOT } from '../../../test/units/rehearsals.js';
import { versionSnapshots } from '../../../test/units/version-snapshots.js';
import { SimulationService, type SimulationResult } from './simulation.service.js';

const ROUTER = 'abcdef00-5be2-7aa0-8d0c-61ddf2f1a7d5';
const ID = 'abcdef00-5be2-7aa0-8d0c-000000000001';
const TRACE = [{ step: 'router', published: true, settings: true }] as const;

/** Validates without references. */
const records = {
  validated: (_: unknown, sent: any, { configuration, selection }: any) => {
    const write = { ...sent, findRecord: () => undefined };
    return Promise.resolve().then(() => VALIDATOR.validate(configuration, write, selection));
  },
};

let rows: FakeRows;
let decider: FakeDecider;
let configurations: FakeConfigurations;
let service: SimulationService;

const configured = (version: string) =>
  configurationOf({ version, users: [user('ada')], routers: [routerOf(ROUTER, ['ada'])] });

beforeEach(() => {
  rows = new FakeRows();
  rows.records.set(ID, storedContact(ID));
  decider = new FakeDecider(() => assigned('ada@acme.test', { trace: TRACE }));
  configurations = new FakeConfigurations(configured('1'));
  service = new SimulationService(
    configurations.cache,
    versionSnapshots(),
    rehearsals(rows, decider),
    records as unknown as RecordsService,
  );
});

const simulate = async (request: Partial<SimulateDto>): Promise<SimulationResult> =>
  service.simulate(ACME, { router_id: ROUTER, ...request });

describe('a simulation of a record', () => {
  it('answers as a dispatch, with the trace and without an entry of the log [contract 6]', async () => {
    expect(await simulate({ object_id: ID })).toEqual({
      message: 'The object was successfully assigned',
      success: true,
      user: 'ada@acme.test',
      field_name: 'contact_owner',
      owner_assigned_at: 'Wed, 10 Jun 2026 12:00:00 +0000',
      reason: 'round_robin',
      trace: TRACE,
    });
  });

  it('says why nobody would get it [contract 6]', async () => {
    decider.choose = () => ({ ...REFUSED, trace: TRACE });
    expect(await simulate({ object_id: ID })).toEqual({
      message: 'Nobody is available',
      success: false,
      reason: 'no_users_available',
      trace: TRACE,
    });
  });

  it('decides on what is stored, by the clock of the database, and locks nothing [contract 6]', async () => {
    await simulate({ object_id: ID.toUpperCase(), router_id: ROUTER.toUpperCase() });
    expect(rows.asked).toEqual([{ accountId: 'acme', routerIds: [ROUTER], objectIds: [ID], unread: [] }]);
    const [call] = decider.calls;
    expect(call?.records).toEqual([storedContact(ID)]);
    expect(call?.rotation.seq).toBe(5);
    expect(call?.reads).toEqual({
      db: SNAPSHOT,
      at: NOON,
      until: NOON,
      imagined: false,
    });
  });

  it('decides at another instant if asked to, and counts nothing later [contract 6]', async () => {
    const result = await simulate({ object_id: ID, at: '2026-06-11T00:00:00+02:00' });
    const at = new Date('2026-06-10T22:00:00Z');
    expect(decider.calls[0]?.reads).toMatchObject({ at, until: at });
    expect(result).toMatchObject({ owner_assigned_at: 'Wed, 10 Jun 2026 22:00:00 +0000' });
  });

  it.each([
    ['an unknown record', { object_id: ROUTER }, 404, 'Object not found'],
    ['what is no id', { object_id: 'x' }, 404, 'Object not found'],
    ['an unknown router', { object_id: 'x', router_id: ID }, 404, 'Router not found'],
    [
      'an instant that is none',
      { object_id: ID, at: '2026-02-30' },
      400,
      'at must be an ISO 8601 date and time',
    ],
    ['both a record and fields', { object_id: ID, fields: {} }, 400, 'Send either object_id or fields'],
    ['neither', {}, 400, 'Send either object_id or fields'],
  ])('refuses %s [4.6, contract 6]', async (_, request, status, message) => {
    await expect(simulate(request)).rejects.toMatchObject({ status, message });
    expect(decider.calls).toEqual([]);
  });

  it('refuses what a dispatch would refuse [4.6, contract 6]', async () => {
    rows.records.set(ID, storedContact(ID, {}, { archived_at: NOON }));
    await expect(simulate({ object_id: ID })).rejects.toMatchObject({ status: 409 });
  });

  it('asks for no record of an id that cannot exist', async () => {
    await expect(simulate({ object_id: 'x' })).rejects.toThrow();
    expect(rows.asked).toEqual([]);
  });

  it('is done again where the configuration has changed meanwhile [contract 6]', async () => {
    await configurations.cache.use(ACME, () => Promise.resolve('cached'));
    configurations.current = configured('2');
    rows.version = '2';
    await simulate({ object_id: ID });
    expect(decider.calls.map(({ snapshot }) => snapshot.version)).toEqual(['2']);
  });

  it('fails where the account is gone', async () => {
    await configurations.cache.use(ACME, () => Promise.resolve('cached'));
    configurations.current = undefined;
    rows.version = undefined;
    await expect(simulate({ object_id: ID })).rejects.toMatchObject({ status: 401 });
  });

  it('fails rather than to answer for nothing', async () => {
    decider.choose = () => undefined;
    await expect(simulate({ object_id: ID })).rejects.toThrow('A simulation decided nothing');
  });
});

describe('a simulation of fields', () => {
  it('decides on a record of these fields that its owner does not have yet [contract 6]', async () => {
    await simulate({ fields: { city: 'Paris', contact_owner: 'ada@acme.test' }, at: '2026-06-11T00:00:00Z' });
    const [call] = decider.calls;
    const at = new Date('2026-06-11T00:00:00Z');
    expect(call?.records).toMatchObject([
      { object_type: 'contacts', fields: { city: 'Paris', contact_owner: 'ada@acme.test' }, created_at: at },
    ]);
    expect(call?.reads).toMatchObject({ at, imagined: true });
    expect(rows.asked[0]?.objectIds).toEqual([]);
  });

  it('names failing fields [2.9, contract 6]', async () => {
    const refused = simulate({ fields: { nope: 'x' } });
    await expect(refused).rejects.toMatchObject({ status: 400, details: { field: 'nope' } });
  });
});
