import { DispatchRunner } from '../../src/dispatch/transaction/dispatch-runner.js';
import type { DatabaseLimits } from '../../src/database/limits.js';
import type { ApiResponse } from './api-client.js';
import { obediently } from './obediently.js';
import {
  commits,
  commitsShared,
  executes,
  ProtocolProxy,
  type ClientMessage,
  type Fault,
} from './protocol-proxy.js';
import { mail, people, router, RoutingAccount } from './routing-account.js';
import { backdate, sql } from './stored-records.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { TestService } from './test-service.js';

/**
 * Writes of each kind at whose statement or COMMIT a connection fails.
 * @param faults how it fails
 * @param limits of time, where a fault is seen when the limit of an answer is over
 */
export function describeLostAnswers(faults: readonly Fault[], limits?: Partial<DatabaseLimits>): void {
  let database: TestDatabase;
  let proxy: ProtocolProxy;
  let service: TestService;
  let account: RoutingAccount;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await ProtocolProxy.start(database.url);
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
    (await sql<{ user: string }>(service, 'SELECT user_email AS "user" FROM assignments ORDER BY id')).map(
      ({ user }) => user,
    );

  beforeEach(async () => {
    await sql(service, 'DELETE FROM assignments');
    await sql(service, 'DELETE FROM rotations');
    await sql(service, 'DELETE FROM records');
  });

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

  describe.each(faults)('a connection with the fault "%s"', (fault) => {
    it('at a create makes one record, which is answered [4.3, contract 1]', async () => {
      const fields = { first_name: 'Ada', email: mail('ada') };
      const { status, body } = await failing(executes('record_insert'), fault, () =>
        account.api.post('/contacts', { fields }),
      );
      expect(status).toBe(201);
      expect(await stored()).toEqual([
        { id: body.id, fields: expect.objectContaining(fields), archived: false },
      ]);
    });

    it('at an update changes the record, and answers it as it is [4.4, contract 1]', async () => {
      const id = await account.contact({ first_name: 'Ada', city: 'London' });
      // Changes within the time that the database takes to answer cannot be told apart.
      await backdate(service, id);
      const { status, body } = await failing(executes('record_update'), fault, () =>
        account.api.patch(`/contacts/${id}?properties=city`, { fields: { first_name: 'Bob', city: null } }),
      );
      expect([status, body.first_name, body.city]).toEqual([200, 'Bob', null]);
      expect((await stored()).map(({ fields }) => fields)).toEqual([
        expect.not.objectContaining({ city: expect.anything() }),
      ]);
    });

    it('at the COMMIT of creates and updates that come together does each once [4.3, 4.4, contract 1]', async () => {
      const ids = await Promise.all(Array.from({ length: 6 }, () => account.contact({ first_name: 'Ada' })));
      for (const id of ids) await backdate(service, id);
      proxy.failAt(commitsShared, fault);
      let sent = 0;
      // Requests that the service receives in one turn share a transaction; the first ones may not be.
      while (!proxy.hasFailed) {
        sent += 1;
        const city = `City ${sent}`;
        const answers = await Promise.all(
          ids.flatMap((id, n) => [
            obediently(() => account.api.patch(`/contacts/${id}?properties=city`, { fields: { city } })),
            obediently(() =>
              account.api.post('/contacts', { fields: { first_name: 'Bob', external_id: `${sent} ${n}` } }),
            ),
          ]),
        );
        expect(answers.map(({ status }) => status)).toEqual(ids.flatMap(() => [200, 201]));
        expect(answers.flatMap(({ body }) => body.city ?? [])).toEqual(ids.map(() => city));
      }
      const records = await stored();
      expect(records.filter(({ fields }) => fields.city === `City ${sent}`)).toHaveLength(ids.length);
      expect(records).toHaveLength(ids.length * (sent + 1));
    });

    it('at a COMMIT of an update with a hook returns a turn once [contract 4]', async () => {
      const id = await account.contact();
      await account.assign('Inbound', id);
      const { status, body } = await failing(commits, fault, () =>
        account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail('cleo') } }),
      );
      expect([status, body.contact_owner]).toEqual([200, mail('cleo')]);
      // ada has her turn again, and cleo has had hers.
      expect(await account.turns('Inbound', 2)).toBe('ada bob');
    });

    it('at an archiving archives the record [4.4, contract 1]', async () => {
      const id = await account.contact();
      const { status, body } = await failing(executes('record_archive'), fault, () =>
        account.api.delete(`/contacts/${id}`),
      );
      expect([status, body.id, body.archived !== false]).toEqual([200, id, true]);
      expect(await stored()).toMatchObject([{ id, archived: true }]);
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

    it.each<[string, (message: ClientMessage) => boolean]>([
      ['write', executes('dispatch_write_assignments')],
      ['COMMIT', commits],
    ])(
      'at the %s of a dispatch assigns once, and answers what is in the log [4.6, contract 4]',
      async (_, at) => {
        const id = await account.contact();
        const { status, body } = await failing(at, fault, () => account.dispatch('Inbound', id));
        expect([status, body.user]).toEqual([200, mail('ada')]);
        expect(await sql(service, 'SELECT id, user_email FROM assignments')).toEqual([
          { id: body.assignment_id, user_email: mail('ada') },
        ]);
        expect(await account.turns('Inbound', 2)).toBe('bob cleo');
      },
    );

    it('at the write of a batch assigns each record once [contract 4]', async () => {
      const ids = [await account.contact(), await account.contact(), await account.contact()];
      const { status, body } = await failing(executes('dispatch_write_assignments'), fault, () =>
        account.batch('Inbound', ids),
      );
      expect(status).toBe(200);
      const users = (body.results as { user: string }[]).map(({ user }) => user);
      expect(users).toEqual(['ada', 'bob', 'cleo'].map(mail));
      expect(await logged()).toEqual(users);
      expect((await stored()).map(({ fields }) => fields['contact_owner'])).toEqual(users);
    });

    it.each<[string, (message: ClientMessage) => boolean]>([
      ['write', executes('dispatch_write_assignments')],
      ['COMMIT', commits],
    ])('at the %s of a transaction of two routers assigns each record once [contract 4]', async (_, at) => {
      const ids = [await account.contact(), await account.contact(), await account.contact()];
      const runs = [
        { routerId: await account.routerId('Inbound'), objectIds: ids.slice(0, 2) },
        { routerId: await account.routerId('Outbound'), objectIds: ids.slice(2) },
      ];
      const context = await service.account(account.slug);
      const runner = service.app.get(DispatchRunner, { strict: false });
      proxy.failAt(at, fault);
      const results = await runner.run(context, runs);
      expect(proxy.hasFailed).toBe(true);
      const outcomes = results.flatMap((result) => result.outcomes);
      const users = outcomes.map((outcome) => outcome.ok && outcome.result.success && outcome.result.user);
      expect(users).toEqual(['ada', 'bob', 'cleo'].map(mail));
      expect(await logged()).toEqual(users);
      expect((await stored()).map(({ fields }) => fields['contact_owner'])).toEqual(users);
      expect(await account.turns('Outbound', 1)).toBe('bob');
    });
  });
}
