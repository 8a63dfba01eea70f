import { OutcomeUnknownError } from '../../../src/database/index.js';
import { DispatchRunner } from '../../../src/dispatch/transaction/dispatch-runner.js';
import type { DatabaseLimits } from '../../../src/database/connection/deadline.js';
import type { ApiResponse, RequestOptions } from '../api-client.js';
import { expectError } from '../error-object.js';
import { obediently, untilKnown } from '../obediently.js';
import {
  commitsAfter,
  commitsShared,
  executes,
  PostgresProxy,
  type ClientMessage,
  type Fault,
} from './postgres-proxy.cjs';
import { mail, people, router, RoutingAccount } from '../routing-account.js';
import { sql } from './stored-records.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { TestService } from '../test-service.js';

/** A write that a test sends. */
interface Write {
  /** Its statement. */
  readonly statement: string;
  /** What it sends last where it has no key: hooks run in the transaction of an archiving. */
  readonly at: (message: ClientMessage) => boolean;
  readonly send: (options?: RequestOptions) => Promise<ApiResponse>;
  /** What its answer has; undefined for nothing in particular. */
  readonly done: Readonly<Record<string, string>> | undefined;
}

/**
 * Writes of each kind at whose statement or COMMIT a connection fails.
 * @param faults how it fails
 * @param limits of time, where a fault is seen when the limit of an answer is over
 */
export function describeLostAnswers(faults: readonly Fault[], limits?: Partial<DatabaseLimits>): void {
  let database: TestDatabase;
  let proxy: PostgresProxy;
  let service: TestService;
  let account: RoutingAccount;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await PostgresProxy.start(database.url);
    service = await TestService.start({
      database: { url: proxy.url, drop: () => Promise.resolve() },
      poolSize: 4,
      ...(limits === undefined ? {} : { limits }),
    });
    const users = people(['ada', 'bob', 'cleo']);
    account = await RoutingAccount.open(service, {
      users,
      routers: [
        router('Inbound', { overwrite: true, reimburse_within_minutes: 10 }, { users }),
        router('Outbound', {}, { users: people(['cleo', 'bob']) }),
      ],
    });
  });
  afterAll(async () => {
    await service.stop();
    await proxy.close();
    await database.drop();
  });

  interface Stored {
    readonly id: string;
    readonly fields: Readonly<Record<string, string>>;
    readonly archived: boolean;
  }

  const stored = (): Promise<Stored[]> =>
    sql<Stored>(service, 'SELECT id, fields, archived_at IS NOT NULL AS archived FROM records ORDER BY id');

  /** The users of the log, in its order. */
  const logged = async (): Promise<string[]> =>
    (
      await sql<{ user: string }>(
        service,
        'SELECT u.email AS "user" FROM assignments a JOIN users u ON u.id = a.user_id ORDER BY a.id',
      )
    ).map(({ user }) => user);

  beforeEach(async () => {
    await sql(service, 'DELETE FROM assignments');
    await sql(service, 'DELETE FROM assignment_days');
    await sql(service, 'DELETE FROM rotations');
    await sql(service, 'DELETE FROM records');
  });

  /** Sends a request at which the connection fails, once or as often as its answers ask for. */
  async function failing(
    at: (message: ClientMessage) => boolean,
    fault: Fault,
    send: () => Promise<ApiResponse>,
  ): Promise<ApiResponse> {
    proxy.failAt(at, fault);
    const answer = await obediently(send);
    expect(proxy.hasFailed).toBe(true);
    return answer;
  }

  /** Says that nobody knows whether the write has happened, and asks for no other try. */
  function expectUnknown(answer: ApiResponse): void {
    expectError(answer, 503, { message: expect.stringContaining('may or may not'), code: 'outcome_unknown' });
    expect(answer.headers.has('retry-after')).toBe(false);
  }

  /** Whether the server has got what it was sent, and has done it. */
  const isDone = (fault: Fault): boolean => fault === 'reset after' || fault === 'swallow';

  /** Writes of each kind, with the statement that does it where it has no key. */
  const WRITES: readonly [string, (id: string) => Write][] = [
    [
      'a create',
      () => ({
        statement: 'record_insert',
        at: executes('record_insert'),
        send: (options) => account.api.post('/contacts', { fields: { first_name: 'New' } }, options),
        done: { first_name: 'New' },
      }),
    ],
    [
      'an update',
      (id) => ({
        statement: 'record_update',
        at: executes('record_update'),
        send: (options) => account.api.patch(`/contacts/${id}`, { fields: { first_name: 'New' } }, options),
        done: { first_name: 'New' },
      }),
    ],
    [
      'an archiving',
      (id) => ({
        statement: 'record_archive',
        at: commitsAfter('record_archive'),
        send: (options) => account.api.request('DELETE', `/contacts/${id}`, undefined, options),
        done: undefined,
      }),
    ],
  ];

  describe.each(faults)('a connection with the fault "%s"', (fault) => {
    it.each(WRITES)(
      'at %s says that it may have happened, and does it once at most [contract 1]',
      async (title, of) => {
        const id = await account.contact({ first_name: 'Old' });
        const { at, send, done } = of(id);
        expectUnknown(await failing(at, fault, send));
        const names = (await stored())
          .filter(({ archived }) => !archived)
          .map(({ fields }) => fields['first_name']);
        const before = title === 'a create' ? ['Old'] : [];
        const after = done === undefined ? [] : [done.first_name];
        expect(names).toEqual(isDone(fault) ? [...before, ...after] : ['Old']);
      },
    );

    it.each(WRITES)(
      'at %s with a key does it once, and answers it [contract 1, contract 7]',
      async (title, of) => {
        const { statement } = of('');
        for (const at of [executes(statement), commitsAfter(statement)]) {
          const { send, done } = of(await account.contact({ first_name: 'Old' }));
          proxy.failAt(at, fault);
          const answer = await untilKnown(send);
          expect(proxy.hasFailed).toBe(true);
          expect([200, 201]).toContain(answer.status);
          if (done !== undefined) expect(answer.body).toMatchObject(done);
        }
        const active = (await stored()).filter(({ archived }) => !archived);
        const names = active.map(({ fields }) => fields['first_name']).sort();
        const expected = new Map([
          ['a create', ['New', 'New', 'Old', 'Old']],
          ['an update', ['New', 'New']],
        ]);
        expect(names).toEqual(expected.get(title) ?? []);
      },
    );

    it('at the COMMIT of writes that come together does each once at most [4.3, 4.4, contract 1]', async () => {
      const ids = await Promise.all(Array.from({ length: 6 }, () => account.contact({ first_name: 'Ada' })));
      proxy.failAt(commitsShared, fault);
      let sent = 0;
      // Requests that the service receives in one turn share a transaction; the first ones may not be.
      while (!proxy.hasFailed) {
        sent += 1;
        const city = `City ${sent}`;
        const answers = await Promise.all(
          ids.flatMap((id) => [
            account.api.patch(`/contacts/${id}?properties=city`, { fields: { city } }),
            account.api.post('/contacts', { fields: { first_name: 'Bob', city } }),
          ]),
        );
        const written = (await stored()).filter(({ fields }) => fields.city === city);
        const acknowledged = answers.filter(({ status }) => status < 300);
        const unknown = answers.filter(({ status }) => status === 503);
        unknown.forEach(expectUnknown);
        expect(acknowledged.length + unknown.length).toBe(answers.length);
        expect(unknown.length > 0).toBe(proxy.hasFailed);
        expect(written).toHaveLength(acknowledged.length + (isDone(fault) ? unknown.length : 0));
      }
    });

    it('at a COMMIT of an update with a hook returns a turn once [contract 4]', async () => {
      const id = await account.contact();
      await account.assign('Inbound', id);
      proxy.failAt(commitsAfter('record_update'), fault);
      const fields = { contact_owner: mail('cleo') };
      const { status, body } = await untilKnown((key) =>
        account.api.patch(`/contacts/${id}`, { fields }, key),
      );
      expect(proxy.hasFailed).toBe(true);
      expect([status, body.contact_owner]).toEqual([200, mail('cleo')]);
      // ada has her turn again, and cleo has had hers.
      expect(await account.turns('Inbound', 2)).toBe('ada bob');
    });

    it.each([
      ['users', 'users'],
      ['fields', 'field_definitions'],
      ['clients', 'api_clients'],
    ])('at a read of one of the %s reads it again [contract 1, contract 6]', async (kind, table) => {
      const api = await service.login(account.slug, ['manage']);
      const [one] = (await api.get(`/${kind}?limit=1`)).body.data;
      const reads = ({ text }: ClientMessage): boolean => text.includes(`FROM "${table}"`);
      const { status, body } = await failing(reads, fault, () => api.get(`/${kind}/${one.id}`));
      expect([status, body]).toEqual([200, one]);
    });

    it('at the write of a dispatch assigns once at most, and log and rotation agree [4.6, contract 4]', async () => {
      const id = await account.contact();
      expectUnknown(
        await failing(executes('dispatch_write_assignments'), fault, () => account.dispatch('Inbound', id)),
      );
      const done = isDone(fault);
      expect(await logged()).toEqual(done ? [mail('ada')] : []);
      expect((await stored()).map(({ fields }) => fields['contact_owner'])).toEqual([
        done ? mail('ada') : undefined,
      ]);
      expect(await account.turns('Inbound', 2)).toBe(done ? 'bob cleo' : 'ada bob');
    });

    it('at the write of a dispatch that takes a record from its owner returns the turn with it [4.6, contract 4]', async () => {
      const id = await account.contact();
      await account.dispatch('Inbound', id);
      expectUnknown(
        await failing(executes('dispatch_write_and_return'), fault, () => account.dispatch('Inbound', id)),
      );
      const done = isDone(fault);
      expect(await logged()).toEqual((done ? ['ada', 'bob'] : ['ada']).map(mail));
      const entries = await sql<{ returned: boolean }>(
        service,
        'SELECT returned_at IS NOT NULL AS returned FROM assignments ORDER BY id',
      );
      expect(entries.map(({ returned }) => returned)).toEqual(done ? [true, false] : [false]);
    });

    it.each<[string, (message: ClientMessage) => boolean]>([
      ['write', executes('dispatch_write_assignments')],
      ['COMMIT', commitsAfter('dispatch_write_assignments')],
    ])(
      'at the %s of a dispatch with a key assigns once, and answers what is in the log [4.6, contract 4, contract 7]',
      async (_, at) => {
        const id = await account.contact();
        const sent = { router_id: await account.routerId('Inbound'), object_id: id };
        proxy.failAt(at, fault);
        const { status, body } = await untilKnown((key) => account.api.post('/dispatch/router', sent, key));
        expect(proxy.hasFailed).toBe(true);
        expect([status, body.user]).toEqual([200, mail('ada')]);
        expect(await sql(service, 'SELECT id FROM assignments')).toEqual([{ id: body.assignment_id }]);
        expect(await logged()).toEqual([mail('ada')]);
        expect(await account.turns('Inbound', 2)).toBe('bob cleo');
      },
    );

    it('at the write of a batch says of whom it may be assigned, and assigns the others [contract 4]', async () => {
      const ids = [await account.contact(), await account.contact(), await account.contact()];
      const { status, body } = await failing(executes('dispatch_write_assignments'), fault, () =>
        account.batch('Inbound', ids),
      );
      expect(status).toBe(200);
      // The first one has a transaction of its own, and the others wait behind it.
      const [first, ...others] = body.results as { user?: string }[];
      expect(first).toMatchObject({ object_id: ids[0], status: 503, error: true, code: 'outcome_unknown' });
      const users = (isDone(fault) ? ['ada', 'bob', 'cleo'] : ['ada', 'bob']).map(mail);
      expect(others.map(({ user }) => user)).toEqual(users.slice(-2));
      expect(await logged()).toEqual(users);
      expect((await stored()).flatMap(({ fields }) => fields['contact_owner'] ?? [])).toEqual(users);
    });

    it('at the write of a transaction of two routers assigns all or none [contract 4]', async () => {
      const ids = [await account.contact(), await account.contact(), await account.contact()];
      const routers = ['Inbound', 'Inbound', 'Outbound'];
      const runs = await Promise.all(
        routers.map(async (name, n) => ({ routerId: await account.routerId(name), objectId: ids[n]! })),
      );
      const context = await service.account(account.slug);
      const runner = service.app.get(DispatchRunner, { strict: false });
      proxy.failAt(executes('dispatch_write_assignments'), fault);
      await expect(runner.run(context, runs)).rejects.toBeInstanceOf(OutcomeUnknownError);
      expect(proxy.hasFailed).toBe(true);
      const users = isDone(fault) ? ['ada', 'bob', 'cleo'].map(mail) : [];
      expect(await logged()).toEqual(users);
      expect((await stored()).flatMap(({ fields }) => fields['contact_owner'] ?? [])).toEqual(users);
      expect(await account.turns('Outbound', 1)).toBe(isDone(fault) ? 'bob' : 'cleo');
    });
  });
}
