// A service of its own: its pool is small, and it has an extension.
import { Controller, Module, Param, Post } from '@nestjs/common';
import type { ClientContext } from '../../src/auth/index.js';
import { Client, RequireScope } from '../../src/auth/http.js';
import { DispatchService } from '../../src/dispatch/index.js';
import type { ApiClient } from '../support/api-client.js';
import { expectError } from '../support/error-object.js';
import { HeldRecords } from '../support/database/held-records.js';
import { obediently } from '../support/obediently.js';
import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { TestService } from '../support/test-service.js';
import { untilReady } from '../support/processes/until-ready.js';

/** Connections of the service. Three of them may serve an account that is alone. */
const POOL_SIZE = 4;
/** What the requests of one account hold, they hold until the test gives it back. */
const LIMITS = { statement: 60_000, lock: 50_000, idleInTransaction: 60_000, answer: 65_000 };
/** Milliseconds in which a connection must be free for the other account. */
const poolWait = 20_000;

let service: TestService;
let busy: RoutingAccount;
let other: ApiClient;
const held = new HeldRecords(() => service);

/** A route of an extension whose requests hold a part of the share while they wait for a dispatch. */
@Controller('assign')
class AssignController {
  constructor(private readonly dispatches: DispatchService) {}

  @Post(':router/:contact')
  @RequireScope('dispatch')
  assign(
    @Client() client: ClientContext,
    @Param('router') router: string,
    @Param('contact') contact: string,
  ): Promise<unknown> {
    return this.dispatches.dispatch(client, router, contact);
  }
}

@Module({ controllers: [AssignController] })
class AssignModule {}

beforeAll(async () => {
  const extensions = [{ name: 'assign', imports: [AssignModule] }];
  service = await TestService.start({
    poolSize: POOL_SIZE,
    extensions,
    limits: { ...LIMITS, poolWait },
    requestTimeout: 70_000,
  });
  const names = ['R1', 'R2', 'R3', 'R4', 'R5', 'R6'];
  busy = await RoutingAccount.open(service, {
    users: people(['ada']),
    routers: names.map((name) => router(name, { overwrite: true }, { users: people(['ada']) })),
  });
  for (const name of names) await busy.routerId(name);
  other = await service.login('other');
});
afterEach(() => held.release());
afterEach(() => void jest.restoreAllMocks());
afterAll(() => service.stop());

describe('While the requests of one account wait for the database', () => {
  it.each<[string, (id: string) => Promise<unknown>[]]>([
    [
      'changes of one record',
      (id) =>
        Array.from({ length: 20 }, (_, index) =>
          obediently(() => busy.api.patch(`/contacts/${id}`, { fields: { first_name: `A${index}` } })),
        ),
    ],
    [
      'dispatches by several routers',
      (id) => ['R1', 'R2', 'R3', 'R4', 'R5', 'R6'].map((name) => obediently(() => busy.dispatch(name, id))),
    ],
  ])('%s leave another account its part [contract 1]', async (_, start) => {
    const id = await busy.contact();
    await held.hold(id);
    const requests = start(id);
    await held.waiting(1, { orMore: true });
    for (let count = 0; count < 5; count++) {
      expect((await other.get('/contacts')).status).toBe(200);
      expect((await other.post('/contacts', { fields: { first_name: 'Eve' } })).status).toBe(201);
      await untilReady(service.anonymous);
    }
    await held.release();
    const answers = (await Promise.all(requests)) as { status: number }[];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it('a request that holds its part can wait for a dispatch [contract 1]', async () => {
    const id = await busy.contact();
    const router = await busy.routerId('R1');
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => busy.api.post(`/assign/${router}/${id}`)),
      other.get('/contacts'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(201), 200]);
  });

  it('none of them holds a connection for long, and each is told in the end [contract 1]', async () => {
    const impatient = await TestService.start({
      database: service.database,
      limits: { ...LIMITS, poolWait, lock: 200 },
      requestTimeout: 70_000,
    });
    try {
      const seat = busy.through(impatient);
      const id = await seat.contact();
      await held.hold(id);
      const now = performance.now.bind(performance);
      const patch = seat.api.patch(`/contacts/${id}`, { fields: { last_name: 'Lovelace' } });
      await held.waiting(1);
      // The time is over for which work that waits for a lock begins again.
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 5_000);
      const answer = await patch;
      clock.mockRestore();
      expectError(answer, 503, { message: 'The database is unavailable, try again shortly' });
      await held.release();
      expect((await seat.api.get(`/contacts/${id}`)).body.last_name).toBeNull();
      expect((await seat.dispatch('R1', id)).body).toMatchObject({ success: true, user: mail('ada') });
    } finally {
      await impatient.stop();
    }
  });
});
