import type { AccountContext } from '../accounts/index.js';
import { isId, OutcomeUnknownError } from '../database/index.js';
import { DomainError } from '../errors/domain-error.js';
import { archived, notFound, unavailable } from '../errors/errors.js';
import { DispatchService } from './dispatch.service.js';
import type { DispatchQueue } from './queue/dispatch-queue.js';
import { ACME } from '../../test/units/decisions.js';
import type { DispatchResult, Outcome } from './transaction/dispatch-result.js';

const ROUTER = '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5';
const ID = (n: number): string => `01a1fe1c-5be2-7aa0-8d0c-00000000000${n}`;
const REFUSED: DispatchResult = {
  message: 'Nobody',
  success: false,
  reason: 'no_users_available',
  assignment_id: 'entry',
};

/** Ends requests as the test says, by object; with a refusal of the router unless told. */
class FakeQueue {
  readonly submitted: [string, string, string][] = [];
  readonly ends = new Map<string, () => Outcome>();

  submit({ accountId }: AccountContext, routerId: string, objectId: string): Promise<Outcome> {
    this.submitted.push([accountId, routerId, objectId]);
    return Promise.resolve().then(() => this.ends.get(objectId)?.() ?? { ok: true, result: REFUSED });
  }
}

let queue: FakeQueue;
let service: DispatchService;
let logged: unknown[];

beforeEach(() => {
  queue = new FakeQueue();
  service = new DispatchService(queue as unknown as DispatchQueue);
  logged = [];
  Object.assign(service, { logger: { error: (error: unknown) => logged.push(error) } });
});

const fail =
  (error: Error): (() => Outcome) =>
  () => {
    throw error;
  };

describe('a dispatch', () => {
  it('answers what became of the record [4.6]', async () => {
    expect(await service.dispatch(ACME, ROUTER, ID(1))).toBe(REFUSED);
    expect(queue.submitted).toEqual([['acme', ROUTER, ID(1)]]);
  });

  it('throws the refusal of the record [4.6]', async () => {
    const error = archived('Archived');
    queue.ends.set(ID(1), () => ({ ok: false, error }));
    await expect(service.dispatch(ACME, ROUTER, ID(1))).rejects.toBe(error);
  });

  it('takes ids in any case, so that one record has one place in the queue [contract 1]', async () => {
    await service.dispatch(ACME, ROUTER.toUpperCase(), 'ABCDEF00-5be2-7aa0-8d0c-61ddf2f1a7d5');
    expect(queue.submitted).toEqual([['acme', ROUTER, 'abcdef00-5be2-7aa0-8d0c-61ddf2f1a7d5']]);
  });

  it('knows no router of an id that cannot exist, and asks for none [5.3]', async () => {
    await expect(service.dispatch(ACME, 'x', ID(1))).rejects.toMatchObject({
      status: 404,
      message: 'Router not found',
    });
    expect(queue.submitted).toEqual([]);
  });

  it('looks for the router first where the id of the record cannot exist: as for an unknown one [5.3]', async () => {
    await service.dispatch(ACME, ROUTER, 'x');
    await service.dispatch(ACME, ROUTER, 'x');
    const ids = queue.submitted.map(([, , id]) => id);
    expect(ids.every(isId)).toBe(true);
    expect(new Set(ids).size).toBe(2);
  });
});

describe('a batch', () => {
  it('answers for each record, in the order given, as a dispatch of its own would [contract 4]', async () => {
    queue.ends.set(ID(2), () => ({ ok: false, error: archived('Archived') }));
    expect(await service.dispatchBatch(ACME, ROUTER, [ID(1), ID(2), ID(3)])).toEqual([
      { object_id: ID(1), status: 200, ...REFUSED },
      { object_id: ID(2), status: 409, message: 'Archived', error: true, code: 'archived' },
      { object_id: ID(3), status: 200, ...REFUSED },
    ]);
    expect(queue.submitted.map(([, , id]) => id)).toEqual([ID(1), ID(2), ID(3)]);
    expect(logged).toEqual([]);
  });

  it('shows ids as they were sent [contract 4]', async () => {
    const sent = ['x', ID(1).toUpperCase()];
    const results = await service.dispatchBatch(ACME, ROUTER, sent);
    expect(results.map(({ object_id }) => object_id)).toEqual(sent);
  });

  it.each([
    ['an unknown outcome', new OutcomeUnknownError(new Error('reset')), 503, { message: expect.stringContaining('may or may not'), code: 'outcome_unknown' }],
    ['a database that is away', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), 503, { message: 'The database is unavailable, try again shortly', code: 'unavailable' }],
    ['too many requests', unavailable('Too many'), 503, { message: 'Too many', code: 'unavailable' }],
    ['an error of the service', new DomainError('internal', 'Broken'), 500, { message: 'Broken', code: 'internal' }],
    ['an error with a status of its own', Object.assign(new Error('secret'), { status: 404 }), 500, { message: 'Internal server error', code: 'internal' }],
    ['a mistake', new TypeError('secret'), 500, { message: 'Internal server error', code: 'internal' }],
  ])('answers 200 as a whole where %s meets one record, and logs what is no outage [contract 1, contract 4]', async (_, error, status, body) => {
    queue.ends.set(ID(2), fail(error));
    expect(await service.dispatchBatch(ACME, ROUTER, [ID(1), ID(2)])).toEqual([
      { object_id: ID(1), status: 200, ...REFUSED },
      { object_id: ID(2), status, error: true, ...body },
    ]);
    expect(logged).toEqual(status === 503 ? [] : [error]);
  }); // prettier-ignore

  it('is refused as a whole for what is wrong with all of it [4.6, contract 4]', async () => {
    const error = notFound('Router not found');
    for (const id of [ID(1), ID(2)]) queue.ends.set(id, fail(error));
    await expect(service.dispatchBatch(ACME, ROUTER, [ID(1), ID(2)])).rejects.toBe(error);
    await expect(service.dispatchBatch(ACME, 'x', [ID(1)])).rejects.toMatchObject({ status: 404 });
    expect(logged).toEqual([]);
  });
});
