// Services of its own, at their default limits of time: clients come again where these are met.
import type { ApiClient } from '../support/api-client.js';
import { ACTIVITY } from '../support/database/cluster.js';
import { HeldLocks } from '../support/database/held-locks.js';
import { userId } from '../support/renaming.js';
import { mail, nameOf, people, RoutingAccount } from '../support/routing-account.js';
import { sql } from '../support/database/stored-records.js';
import { storm } from '../support/storm.js';
import { TestService } from '../support/test-service.js';
import { archiveUser } from '../support/archive-user.js';

const CLIENTS = storm(16, 8);
const ROUNDS = storm(12, 5);

let first: TestService;
let second: TestService;
const locks = new HeldLocks(() => first);

beforeAll(async () => {
  first = await TestService.start();
  second = await TestService.start({ database: first.database });
});
afterEach(() => locks.release());
afterAll(async () => {
  await second.stop();
  await first.stop();
});

/** Two versions that have nothing in common: the field that they set, who is in, and the backup */
const SIDES = {
  left: { field: 'contact_owner', pool: ['ada', 'bob'], backup: 'eve' },
  right: { field: 'account_manager', pool: ['dan', 'fay'], backup: 'gus' },
} as const;

/** Users whose e-mails change, one of the left pool and the backup of the right side. */
const RENAMED: readonly string[] = ['ada', 'gus'];

/** What a user is called after so many changes of e-mails. */
const called = (name: string, changes: number): string =>
  changes > 0 && RENAMED.includes(name) ? `${name}-${changes}` : name;
type Side = keyof typeof SIDES;

/** A router of that side. Contacts of Nowhere go to one who is away, so that the backup gets them. */
const keys = (side: Side, changes = 0) => ({
  settings: {
    owner_field: SIDES[side].field,
    overwrite: true,
    default_user: mail(called(SIDES[side].backup, changes)),
    rules: [
      {
        name: 'Nowhere',
        trigger: { groups: [{ conditions: [{ field: 'city', operator: 'eq', value: 'Nowhere' }] }] },
        users: people(['off']),
      },
    ],
  },
  users: people(SIDES[side].pool.map((name) => called(name, changes))),
});

interface Managed {
  readonly account: RoutingAccount;
  readonly admin: ApiClient;
  readonly id: string;
  readonly path: string;
}

/** An account with a router whose version 1 is the left side. */
async function open(): Promise<Managed> {
  const account = await RoutingAccount.open(first, {
    users: [...people(['ada', 'bob', 'eve', 'dan', 'fay', 'gus']), { email: mail('off'), available: false }],
    fields: [{ object_type: 'contacts', internal_name: 'account_manager', type: 'user' }],
  });
  const admin = await first.login(account.slug, ['manage', 'routers:read', 'dispatch']);
  const { body } = await admin.post('/routers', { name: 'R', object_type: 'contacts', ...keys('left') });
  const path = `/routers/${body.id}`;
  await admin.post(`${path}/publish`);
  return { account, admin, id: body.id, path };
}

/** A dispatch that was answered. */
interface Answered {
  /** How many versions there were, for sure, when it was sent. */
  readonly known: number;
  /** How often e-mails had changed, for sure, when it was sent. */
  readonly renamed: number;
  /** How often e-mails had changed, at most, when it was answered. */
  readonly renaming: number;
  readonly status: number;
  readonly isNowhere: boolean;
  readonly body: any;
}

/** The status of a change of the router, and those of e-mails that change at the same time. */
const both = async (change: Promise<{ status: number }>, renames: Promise<number[]>): Promise<number[]> => [
  ...(await renames),
  (await change).status,
];

/** What the services have logged of errors. */
const faults = (): unknown[] => [...first.logs, ...second.logs].filter(({ level }) => level === 'error');

describe('Dispatches while versions of their router are published and rolled back, and e-mails change', () => {
  it('are each decided by one version as a whole, which the log names [contract 4, contract 6]', async () => {
    const { account, admin, id, path } = await open();
    const nowhere = await Promise.all(
      Array.from({ length: CLIENTS }, () => account.contact({ city: 'Nowhere' })),
    );
    const contacts = await account.contacts(CLIENTS);
    const answers: Answered[] = [];
    let known = 1;
    let [renaming, renamed] = [0, 0];
    let running = true;
    let wake: () => void = () => undefined;
    const client = async (_: unknown, n: number): Promise<void> => {
      const { api } = account.through(n % 2 === 0 ? first : second);
      for (let turn = 0; running; turn++) {
        const isNowhere = turn % 2 === 1;
        const object_id = (isNowhere ? nowhere : contacts)[n]!;
        const asked = { known, renamed, isNowhere };
        const { status, body } = await api.post('/dispatch/router', { router_id: id, object_id });
        answers.push({ ...asked, renaming, status, body });
        wake();
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    const moreThan = async (count: number): Promise<void> => {
      while (answers.length < count) await new Promise<void>((resolve) => (wake = resolve));
    };
    const ids = await Promise.all(RENAMED.map((name) => userId(admin, name)));
    /** Gives them new e-mails, all at once. */
    const rename = async (): Promise<number[]> => {
      const changes = ++renaming;
      const answered = await Promise.all(
        ids.map((user, n) => admin.patch(`/users/${user}`, { email: mail(called(RENAMED[n]!, changes)) })),
      );
      renamed = changes;
      return answered.map(({ status }) => status);
    };
    for (let round = 0; round < ROUNDS; round++) {
      await moreThan(answers.length + CLIENTS);
      // Version 2 and every third one after it are published, the others are roll-backs.
      const publishes = round % 3 === 0;
      const before = known;
      const statuses = publishes
        ? [
            (await admin.patch(path, keys(before % 2 === 1 ? 'right' : 'left', renamed))).status,
            ...(await both(admin.post(`${path}/publish`), rename())),
          ]
        : await both(admin.post(`${path}/rollback`, { version: before - 1 }), rename());
      expect([...new Set(statuses), ...faults()]).toEqual([200]);
      known = before + 1;
    }
    await moreThan(answers.length + CLIENTS);
    running = false;
    await Promise.all(clients);

    const ran = await sql<{ id: string; version: number }>(
      first,
      'SELECT id, router_version AS version FROM assignments WHERE router_id = $1 ORDER BY id',
      [id],
    );
    const versions = new Map(ran.map((entry) => [entry.id, entry.version]));
    expect(answers.length).toBe(ran.length);
    for (const answer of answers) {
      const { known: least, status, body, isNowhere } = answer;
      expect([status, body.success]).toEqual([200, true]);
      const version = versions.get(body.assignment_id)!;
      expect(version).toBeGreaterThanOrEqual(least);
      const { field, pool, backup } = SIDES[version % 2 === 1 ? 'left' : 'right'];
      expect(body.field_name).toBe(field);
      const names = isNowhere ? [backup] : pool;
      const changes = Array.from(
        { length: answer.renaming - answer.renamed + 1 },
        (_, n) => answer.renamed + n,
      );
      expect(names.flatMap((name) => changes.map((count) => called(name, count)))).toContain(
        nameOf(body.user),
      );
    }
    const seen = new Set(answers.map(({ body }) => nameOf(body.user).replace(/\d+/, 'n')));
    expect([...seen]).toEqual(expect.arrayContaining(['ada-n', 'gus-n']));
    // The versions follow each other in the log too, and every one of them has run.
    const inOrder = ran.map(({ version }) => version);
    expect(inOrder).toEqual([...inOrder].sort((a, b) => a - b));
    expect([...new Set(inOrder)]).toEqual(Array.from({ length: ROUNDS + 1 }, (_, index) => index + 1));
  });

  it('wait for nobody who only changes the draft [contract 6]', async () => {
    const { account, admin, path } = await open();
    const { accountId } = await first.account(account.slug);
    const contact = await account.contact();
    const giveBack = await locks.configuration(accountId);
    // A change of what is live would wait for the lock that dispatches share.
    expect((await admin.patch(path, keys('right'))).status).toBe(200);
    expect((await admin.delete(`${path}/draft`)).status).toBe(200);
    await giveBack();
    expect(await account.assign('R', contact)).toBe('ada');
  });
});

describe('Those who change one router at once', () => {
  it('publish a draft once, and give every version a number of its own [contract 6]', async () => {
    const { account, admin, path } = await open();
    await admin.patch(path, keys('right'));
    const elsewhere = await second.login(account.slug, ['manage']);
    const seats = [admin, elsewhere, admin, elsewhere];
    const answers = await Promise.all([
      ...seats.map((seat) => seat.post(`${path}/publish`)),
      ...seats.map((seat) => seat.post(`${path}/rollback`, { version: 1 })),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { data } = (await admin.get(`${path}/versions`)).body;
    const numbers = data.map(({ version }: { version: number }) => version);
    expect(numbers).toEqual(Array.from({ length: data.length }, (_, index) => data.length - index));
    const notes = data.filter(({ note }: { note: string | null }) => note === null);
    expect(notes).toHaveLength(2);
  });

  it('give one name to one router only [contract 1, contract 6]', async () => {
    const { account, admin } = await open();
    const elsewhere = await second.login(account.slug, ['manage']);
    const sent = { name: 'New', object_type: 'contacts' };
    const answers = await Promise.all([admin, elsewhere, admin].map((seat) => seat.post('/routers', sent)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const { id } = answers.find(({ status }) => status === 201)!.body;
    for (const { status, body } of answers) if (status === 409) expect(body.existing_id).toBe(id);
  });
});

describe('A publication that does not come to its end', () => {
  /** All that it writes. */
  const stored = ({ id }: Managed): Promise<unknown[]> =>
    Promise.all([
      sql(first, 'SELECT r.*, r.xmin::text FROM routers r WHERE id = $1', [id]),
      sql(first, 'SELECT v.*, v.xmin::text FROM router_versions v WHERE router_id = $1', [id]),
      sql(first, 'SELECT count(*) FROM audit_entries WHERE object_id = $1', [id]),
    ]);

  it('leaves nothing behind where its connection is lost at the last step [contract 6]', async () => {
    const managed = await open();
    const { account, admin, path } = managed;
    const { accountId } = await first.account(account.slug);
    await admin.patch(path, keys('right'));
    const before = await stored(managed);
    const giveBack = await locks.configuration(accountId);
    const publication = admin.post(`${path}/publish`);
    await locks.waiting(1);
    await sql(
      first,
      `SELECT pg_terminate_backend(pid) FROM ${ACTIVITY}
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect((await publication).status).toBe(503);
    await giveBack();
    expect(await stored(managed)).toEqual(before);
    expect(await account.assign('R')).toBe('ada');
    expect((await admin.post(`${path}/publish`)).body.settings.owner_field).toBe('account_manager');
    expect(await account.assign('R')).toBe('dan');
  });

  it('leaves nothing behind where the router cannot be published [contract 6]', async () => {
    const managed = await open();
    await managed.admin.patch(managed.path, keys('right'));
    await archiveUser(managed.account, mail('gus'));
    const before = await stored(managed);
    expect((await managed.admin.post(`${managed.path}/publish`)).status).toBe(400);
    expect(await stored(managed)).toEqual(before);
  });
});
