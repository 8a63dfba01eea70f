import type { Database } from '../database/index.js';
import type { DirectoryRepository } from '../directory/index.js';
import type { AssignmentRow, AssignmentsRepository, LogPage } from './assignments.repository.js';
import { cursorBehind } from '../paging/index.js';
import { AssignmentsService, assignmentView, type AssignmentQuery } from './assignments.service.js';
import { logged } from '../../test/units/logged.js';

const ACME = { accountId: 'acme' };
const ROUTER = '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5';
const OBJECT = '01a1fe1c-5be2-7aa0-8d0c-000000000001';
const tx = {};
const database = {
  for: (): unknown => database,
  read: (work: (of: unknown) => unknown) => work(tx),
} as unknown as Database;

/** A log of one entry: notes what it is asked. */
class FakeLog {
  readonly asked: unknown[] = [];
  found: (AssignmentRow & { trace: unknown }) | undefined;
  more = true;

  list(
    db: unknown,
    { accountId }: typeof ACME,
    { filters, limit, offset, behind }: LogPage,
  ): Promise<{ rows: AssignmentRow[]; count: number; more: boolean }> {
    expect(db).toBe(database);
    this.asked.push([accountId, Object.fromEntries(filters), limit, behind ?? offset]);
    return Promise.resolve({ rows: [logged('b'), logged(OBJECT)], count: 9, more: this.more });
  }

  find(_: unknown, { accountId }: typeof ACME, id: string): Promise<typeof this.found> {
    this.asked.push([accountId, id]);
    return Promise.resolve(this.found);
  }
}

/** One of the users, and no other, has an e-mail. */
const USER = '01a1fe1c-5be2-7aa0-8d0c-000000000002';
const directory = {
  findUsers: (db: unknown, { accountId }: typeof ACME, emails: readonly string[]): Promise<object[]> => {
    expect([db, accountId]).toEqual([tx, 'acme']);
    return Promise.resolve(emails[0] === 'ada@acme.test' ? [{ id: USER }] : []);
  },
} as unknown as DirectoryRepository;

let log: FakeLog;
let service: AssignmentsService;
beforeEach(() => {
  log = new FakeLog();
  service = new AssignmentsService(database, log as unknown as AssignmentsRepository, directory);
});

const query = (values: Partial<AssignmentQuery> = {}): AssignmentQuery => ({
  router_id: undefined,
  object_id: undefined,
  user: undefined,
  after: undefined,
  limit: 2,
  offset: 4,
  ...values,
});

describe('the log', () => {
  it('is shown a page at a time [contract 3, contract 6]', async () => {
    const page = await service.list(ACME, query());
    expect(page.data.map(({ id, user }) => [id, user])).toEqual([
      ['b', 'ada@acme.test'],
      [OBJECT, 'ada@acme.test'],
    ]);
    expect(page.pagination).toEqual({ limit: 2, offset: 4, count: 9, next: cursorBehind(OBJECT) });
    expect(log.asked).toEqual([['acme', {}, 2, 4]]);
  });

  it('goes on behind a page, up to the last one [contract 3]', async () => {
    log.more = false;
    const page = await service.list(ACME, query({ after: cursorBehind(ROUTER), offset: 0 }));
    expect(page.pagination).toEqual({ limit: 2, offset: 0, count: 9, next: null });
    expect(log.asked).toEqual([['acme', {}, 2, ROUTER]]);
  });

  it('refuses what is no cursor, and one with an offset [contract 1, contract 3]', async () => {
    for (const after of ['x', cursorBehind(ROUTER)]) {
      const refusal = { status: 400, details: { field: 'after' } };
      await expect(service.list(ACME, query({ after }))).rejects.toMatchObject(refusal);
    }
    expect(log.asked).toEqual([]);
  });

  it('is narrowed by router, object, and user in any case [contract 6]', async () => {
    await service.list(ACME, query({ router_id: ROUTER, object_id: OBJECT, user: ' Ada@Acme.TEST ' }));
    expect(log.asked).toEqual([['acme', { router: ROUTER, object: OBJECT, user: USER }, 2, 4]]);
  });

  it('has nothing of an e-mail that is nobody’s [contract 6]', async () => {
    const none = await service.list(ACME, query({ user: 'former@acme.test' }));
    expect([none.data, none.pagination.count, none.pagination.next]).toEqual([[], 0, null]);
    expect(log.asked).toEqual([]);
  });

  it.each([{ router_id: 'x' }, { object_id: 'x' }, { router_id: ROUTER, object_id: '' }])(
    'has nothing of an id that cannot exist, and is not asked: %j [contract 6]',
    async (of) => {
      const page = { data: [], pagination: { limit: 2, offset: 4, count: 0, next: null } };
      expect(await service.list(ACME, query(of))).toEqual(page);
      expect(log.asked).toEqual([]);
    },
  );
});

describe('one entry of the log', () => {
  it('has its trace, which may have been dropped [contract 6]', async () => {
    log.found = { ...logged(OBJECT), trace: [{ step: 'trigger' }] };
    expect(await service.get(ACME, OBJECT)).toMatchObject({ id: OBJECT, trace: [{ step: 'trigger' }] });
    log.found = { ...log.found, trace: null };
    expect(await service.get(ACME, OBJECT)).toHaveProperty('trace', null);
    expect(log.asked[0]).toEqual(['acme', OBJECT]);
  });

  it('is unknown, also where its id cannot exist [5.3, contract 6]', async () => {
    const refusal = { status: 404, message: 'Assignment not found' };
    await expect(service.get(ACME, OBJECT)).rejects.toMatchObject(refusal);
    await expect(service.get(ACME, 'x')).rejects.toMatchObject(refusal);
    expect(log.asked).toHaveLength(1);
  });
});

describe('the view of a log entry', () => {
  it('names the owner who was chosen again, whom the log has only as the owner before [contract 6]', () => {
    const { user, previous_user } = assignmentView(logged('entry', { user: null, reason: 'already_owner' }));
    expect([user, previous_user]).toEqual(['old@acme.test', 'old@acme.test']);
  });

  it('has the keys of the contract in their order [contract 6]', () => {
    expect(Object.entries(assignmentView(logged('entry', { user: null })))).toEqual([
      ['id', 'entry'],
      ['router_id', 'R'],
      ['router_version', 3],
      ['rule', null],
      ['step', 0],
      ['object_id', 'record'],
      ['object_type', 'contacts'],
      ['user', null],
      ['previous_user', 'old@acme.test'],
      ['reason', 'round_robin'],
      ['message', 'The object was successfully assigned'],
      ['created_at', '2026-06-10T12:00:00.000Z'],
    ]);
  });
});
