import { configurationOf, FakeConfigurations, routerOf } from '../../../test/units/configuration.js';
import type { Decision } from '../../engine/index.js';
import { NOON, user } from '../../../test/units/engine-fixtures.js';
import type { DomainError } from '../../errors/domain-error.js';
import { ACME, assigned, REFUSED } from '../../../test/units/decisions.js';
import { FakeDecider } from '../../../test/units/fake-decider.js';
import { FakeRows } from '../../../test/units/fake-rows.js';
import { rehearsals, SNAPSHOT } from '../../../test/units/rehearsals.js';
import { versionSnapshots } from '../../../test/units/version-snapshots.js';
import { ReplayService, type ReplayRequest, type ReplayResult } from './replay.service.js';

let rows: FakeRows;
let decider: FakeDecider;
let service: ReplayService;

/** Who gets the next records. */
let next: Decision[];

beforeEach(() => {
  rows = new FakeRows();
  next = [];
  decider = new FakeDecider(() => next.shift() ?? REFUSED);
  const routers = [routerOf('S', ['ada']), routerOf('R', ['ada'], { name: 'Inbound' })];
  const { cache } = new FakeConfigurations(configurationOf({ users: [user('ada')], routers }));
  service = new ReplayService(cache, versionSnapshots(), rehearsals(rows, decider));
});

const lines = (...fields: unknown[]) => fields.map((each, index) => ({ line: index + 3, fields: each }));
const replay = (request: Partial<ReplayRequest> = {}): Promise<ReplayResult> =>
  service.replay(ACME, { router: 'Inbound', records: lines({ city: 'Paris' }, {}), ...request });

describe('a replay', () => {
  it('decides on records that do not exist, in order, as the router would now [contract 5]', async () => {
    await replay();
    expect(rows.asked).toEqual([{ accountId: 'acme', routerIds: ['R'], objectIds: [], unread: [] }]);
    const [call] = decider.calls;
    expect(call?.snapshot.id).toBe('R');
    expect(call?.records.map(({ fields, created_at }) => [fields, created_at])).toEqual([
      [{ city: 'Paris' }, NOON],
      [{}, NOON],
    ]);
    expect(call?.rotation.seq).toBe(5);
    expect(call?.reads).toEqual({
      db: SNAPSHOT,
      at: NOON,
      until: NOON,
      imagined: true,
    });
  });

  it('decides at another instant if asked to [contract 5]', async () => {
    const at = new Date('2026-07-01T00:00:00Z');
    expect((await replay({ at })).at).toBe('2026-07-01T00:00:00.000Z');
    expect(decider.calls[0]?.reads).toMatchObject({ at, until: at });
    expect(decider.calls[0]?.records[0]?.created_at).toEqual(at);
  });

  it('counts who gets how many, the most first, then by e-mail; and why [contract 5]', async () => {
    next = [
      assigned('zoe@acme.test'),
      assigned('ada@acme.test'),
      REFUSED,
      assigned('bob@acme.test', { reason: 'default_user' }),
      assigned('bob@acme.test'),
    ];
    const result = await replay({ records: lines({}, {}, {}, {}, {}) });
    expect(result).toEqual({
      router: 'Inbound',
      at: NOON.toISOString(),
      total: 5,
      users: [
        { user: 'bob@acme.test', records: 2, share: 0.4 },
        { user: 'ada@acme.test', records: 1, share: 0.2 },
        { user: 'zoe@acme.test', records: 1, share: 0.2 },
      ],
      reasons: [
        { reason: 'round_robin', assigned: true, records: 3 },
        { reason: 'no_users_available', assigned: false, records: 1 },
        { reason: 'default_user', assigned: true, records: 1 },
      ],
    });
  });

  it('orders reasons by how often they decided [contract 5]', async () => {
    next = [REFUSED, assigned('ada@acme.test'), assigned('ada@acme.test')];
    const { reasons } = await replay({ records: lines({}, {}, {}) });
    expect(reasons.map(({ reason, records }) => [reason, records])).toEqual([
      ['round_robin', 2],
      ['no_users_available', 1],
    ]);
  });

  it('of nothing has nobody [contract 5]', async () => {
    expect(await replay({ records: [] })).toMatchObject({ total: 0, users: [], reasons: [] });
  });

  it('tells of its progress, and of its end [contract 5]', async () => {
    const told: number[] = [];
    const onProgress = (done: number): void => void told.push(done);
    await replay({ onProgress });
    expect(decider.onProgress).toBe(onProgress);
    expect(told).toEqual([2]);
  });

  it('names every line with failing fields [2.9, contract 5]', async () => {
    const refused = replay({ records: lines({ city: 'Paris' }, { nope: 'x' }, { nada: 'x' }) });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      message: 'Line 4: Unknown field: nope\nLine 5: Unknown field: nada',
      details: {
        errors: [
          { line: 4, field: 'nope', message: 'Unknown field: nope' },
          { line: 5, field: 'nada', message: 'Unknown field: nada' },
        ],
      },
    });
    expect(decider.calls).toEqual([]);
  });

  it('names the field of a lone failure [2.9, contract 5]', async () => {
    const refused = replay({ records: lines({ nope: 'x' }) });
    await expect(refused).rejects.toMatchObject({
      message: 'Line 3: Unknown field: nope',
      details: { field: 'nope' },
    });
  });

  it('names a hundred lines, those that are no records among them, and counts the rest [contract 5]', async () => {
    const unread = { line: 4, problem: 'Line 4 is not JSON' };
    const failing = Array.from({ length: 150 }, (_, index) => ({ line: 3 + 2 * index, fields: { nope: 1 } }));
    const records = failing.toSpliced(1, 0, unread as never);
    const error = (await replay({ records }).catch((reason: unknown) => reason)) as DomainError;
    const messages = error.message.split('\n');
    expect(messages.slice(0, 3)).toEqual([
      'Line 3: Unknown field: nope',
      'Line 4 is not JSON',
      'Line 5: Unknown field: nope',
    ]);
    expect(messages).toHaveLength(101);
    expect(messages[100]).toBe('(and 51 more)');
    expect(error.details).toMatchObject({ omitted: 51 });
    expect(error.details.errors).toHaveLength(100);
  });

  it('passes on what is no fault of a line', async () => {
    const mistake = new TypeError('a mistake');
    const fields = new Proxy({}, {
      ownKeys: () => {
        throw mistake;
      },
    });
    await expect(replay({ records: lines(fields) })).rejects.toBe(mistake);
  }); // prettier-ignore

  it('knows routers by their names only [contract 5]', async () => {
    const refused = replay({ router: 'R' });
    await expect(refused).rejects.toMatchObject({ status: 404, message: 'There is no router R' });
    await expect(service.requireRouter(ACME, { router: 'R' })).rejects.toMatchObject({ status: 404 });
    await expect(service.requireRouter(ACME, { router: 'Inbound' })).resolves.toBeUndefined();
  });
});
