import type { AccountShares } from '../accounts/index.js';
import type { ClientContext } from '../auth/index.js';
import { Background, type Database } from '../database/index.js';
import { FakeDatabase } from '../../test/units/fake-database.js';
import { DomainError } from '../errors/domain-error.js';
import { RepeatedAnswerError } from '../http/index.js';
import { IdempotencyRepository, type KeptAnswer } from './idempotency.repository.js';
import { IdempotentRequests, type RepeatableRequest } from './idempotent-requests.js';

const CLIENT: ClientContext = { accountId: 'acme', clientId: 'client', scopes: new Set() };
const DIGEST = Buffer.from('one request');
const HEADERS = { ETag: '"1"' };
const KEPT: KeptAnswer = { digest: DIGEST, status: 201, headers: HEADERS, body: '{"id":"a"}' };
const [LOCK, FIND, KEEP] = ['lock_request', 'find_answer', 'keep_answer'].map(
  (name) => `idempotency_${name}`,
) as [string, string, string];

let database: FakeDatabase;
/** How many hold a share of the database. */
let inside: number;
/** Headers that were forgotten, and answers that were repeated. */
let told: unknown[];
let requests: IdempotentRequests;

beforeEach(() => {
  database = new FakeDatabase();
  inside = 0;
  told = [];
  const shares = {
    enter: () => {
      inside++;
      return Promise.resolve(() => inside--);
    },
  };
  requests = new IdempotentRequests(
    database as unknown as Database,
    new IdempotencyRepository(),
    shares as unknown as AccountShares,
    new Background(),
  );
});
afterEach(() => expect(inside).toBe(0));

/** A request with the key. @param digest of what it asks for */
const request = (digest = DIGEST): RepeatableRequest => ({
  client: CLIENT,
  keyed: {
    key: 'key',
    digest,
    requestId: 'r-1',
    answered: () => ({ status: 201, headers: HEADERS }),
    repeat: (answer) => told.push(answer),
    forget: () => told.push('forget'),
  },
});

const asFirst = (): void => database.answer(LOCK, [{ locked: true }]);
const asRepeated = (kept: KeptAnswer): void => {
  asFirst();
  database.answer(FIND, [kept]);
};
const never = (): Promise<object> => Promise.reject(new Error('It is done again'));

describe('a request without a key', () => {
  it('is done, and nothing is kept [contract 7]', async () => {
    const done = { id: 'a' };
    const work = jest.fn(() => Promise.resolve(done));
    expect(await requests.once({ client: CLIENT }, work)).toBe(done);
    expect(work).toHaveBeenCalledWith(CLIENT);
    expect(database.events).toEqual([]);
  });
});

describe('the first request with a key', () => {
  it('is done in the transaction that keeps its answer [contract 7]', async () => {
    asFirst();
    const done = { id: 'a' };
    const result = await requests.once(request(), (client) => {
      expect(client).toEqual({ ...CLIENT, transaction: database.tx });
      expect(inside).toBe(1);
      return Promise.resolve(done);
    });
    expect(result).toBe(done);
    expect(database.events).toEqual(['BEGIN', LOCK, FIND, 'SAVEPOINT', 'RELEASE', KEEP, 'COMMIT']);
    expect(database.sent.at(-1)?.values).toEqual([
      'acme',
      'client',
      'key',
      DIGEST,
      201,
      JSON.stringify(HEADERS),
      '{"id":"a"}',
    ]);
  });

  it('that is refused keeps the refusal, without headers of what was undone [contract 7]', async () => {
    asFirst();
    const error = new DomainError('duplicate', 'It is there already');
    await expect(requests.once(request(), () => Promise.reject(error))).rejects.toBe(error);
    expect(database.events.at(-1)).toBe('COMMIT');
    const [status, headers, body] = (database.sent.at(-1)?.values ?? []).slice(4);
    expect([status, headers]).toEqual([409, '{}']);
    expect(JSON.parse(String(body))).toMatchObject({ code: 'duplicate', request_id: 'r-1' });
    expect(told.at(-1)).toBe('forget');
  });

  it.each([
    new DomainError('unauthorized', 'No token'),
    new DomainError('insufficient_scope', 'No scope'),
    new DomainError('rate_limited', 'Too many'),
    new DomainError('unavailable', 'No database'),
    new Error('unexpected'),
  ])('that fails for another cause keeps nothing: %s [contract 7]', async (error) => {
    asFirst();
    await expect(requests.once(request(), () => Promise.reject(error))).rejects.toBe(error);
    expect(database.events).toEqual(['BEGIN', LOCK, FIND, 'SAVEPOINT', 'ROLLBACK TO', 'ROLLBACK']);
  });
});

describe('the same request again', () => {
  it('is answered as before, and not done [contract 7]', async () => {
    asRepeated(KEPT);
    expect(await requests.once(request(), never)).toEqual({ id: 'a' });
    expect(told).toEqual([KEPT]);
  });

  it('is refused as before [contract 7]', async () => {
    const kept = { ...KEPT, status: 409, body: '{"code":"duplicate"}' };
    asRepeated(kept);
    const error: unknown = await requests.once(request(), never).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RepeatedAnswerError);
    expect(error).toMatchObject({ status: 409, body: { code: 'duplicate' } });
  });

  it('is another one where it asks for something else [contract 7]', async () => {
    asRepeated(KEPT);
    const other = request(Buffer.from('another request'));
    await expect(requests.once(other, never)).rejects.toMatchObject({
      status: 422,
      code: 'idempotency_key_reused',
    });
    expect(told).toEqual([]);
  });
});

describe('the same request meanwhile', () => {
  it('is refused at once, and asks the database once [contract 7]', async () => {
    database.answer(LOCK, [{ locked: false }]);
    await expect(requests.once(request(), never)).rejects.toMatchObject({
      status: 409,
      code: 'idempotency_in_progress',
      details: { headers: { 'Retry-After': '1' } },
    });
    expect(database.events).toEqual(['BEGIN', LOCK, 'COMMIT']);
  });
});
