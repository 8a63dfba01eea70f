// Services of its own, at their default limits of time: clients come again where these are met.
import { adminOf, userId } from '../support/renaming.js';
import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { sql } from '../support/database/stored-records.js';
import { storm } from '../support/storm.js';
import { TestService } from '../support/test-service.js';

let first: TestService;
let second: TestService;

beforeAll(async () => {
  first = await TestService.start({ obedient: true });
  second = await TestService.start({ obedient: true, database: first.database });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

const DISPATCHERS = storm(16, 8);
const CHANGES = storm(8, 3);
/** Answers between two changes. */
const ANSWERS = storm(40, 20);

/** What ada is called after so many changes: she keeps no e-mail twice. */
const called = (changes: number): string => (changes === 0 ? mail('ada') : mail(`ada-${changes}`));
const IS_ADA = /^ada(-\d+)?@acme\.test$/;

/** One answer among many, with the numbers of changes that were begun and done around it. */
interface Answer {
  readonly kind: 'dispatch' | 'write' | 'read' | 'route';
  readonly status: number;
  /** Each e-mail of ada that the answer has. */
  readonly seen: readonly string[];
  readonly doneBefore: number;
  readonly begunAfter: number;
}

const seenIn = (body: unknown): string[] => {
  const seen: string[] = [];
  JSON.stringify(body, (key, value: unknown) => {
    if (typeof value === 'string' && key !== 'message' && IS_ADA.test(value)) seen.push(value);
    return value;
  });
  return seen;
};

/** Runs dispatching clients, and others that write, read and list, while ada's e-mail changes. */
async function renameUnderLoad(account: RoutingAccount): Promise<readonly Answer[]> {
  const admin = await adminOf(account);
  const id = await userId(admin, 'ada');
  const answers: Answer[] = [];
  let [begun, done, running] = [0, 0, true];
  let wake: () => void = () => undefined;
  const contacts = await account.contacts(DISPATCHERS);
  const owned = await account.contact({ contact_owner: mail('ada') });
  const routerId = await account.routerId('R');
  const asked = async (
    kind: Answer['kind'],
    ask: () => Promise<{ readonly status: number; readonly body: unknown }>,
  ): Promise<void> => {
    const doneBefore = done;
    const { status, body } = await ask();
    const seen = status < 400 ? seenIn(body) : [];
    answers.push({ kind, status, seen, doneBefore, begunAfter: begun });
    wake();
  };
  const both = [account, account.through(second)] as const;
  const repeat = async (work: (n: number) => Promise<void>): Promise<void> => {
    for (let n = 0; running; n++) await work(n);
  };
  const streams = [
    ...contacts.map((contact, n) =>
      repeat(() => asked('dispatch', () => both[n % 2]!.dispatch('R', contact))),
    ),
    ...both.flatMap(({ api }) => [
      // The e-mail that ada had when the request was made up. It may be another one by now.
      repeat(() =>
        asked('write', () => api.patch(`/contacts/${owned}`, { fields: { contact_owner: called(done) } })),
      ),
      repeat(() => asked('read', () => api.get('/contacts?limit=100'))),
      repeat(() => asked('read', () => api.get('/assignments?limit=20'))),
      repeat(() => asked('route', () => api.get(`/routers/${routerId}`))),
    ]),
  ];
  const more = async (count: number): Promise<void> => {
    const wanted = answers.length + count;
    while (answers.length < wanted) await new Promise<void>((resolve) => (wake = resolve));
  };
  for (let change = 1; change <= CHANGES; change++) {
    await more(ANSWERS);
    begun = change;
    const { status, body } = await admin.patch(`/users/${id}`, { email: called(change) });
    expect([status, body.email]).toEqual([200, called(change)]);
    done = change;
  }
  await more(ANSWERS);
  running = false;
  await Promise.all(streams);
  return answers;
}

describe('An e-mail that changes under load', () => {
  it('is one e-mail in each answer, never an earlier one, and no request fails [4.6, contract 6]', async () => {
    const account = await RoutingAccount.open(first, {
      users: people(['ada', 'bob']),
      routers: [
        router('R', { overwrite: true, default_user: mail('ada') }, { users: people(['ada', 'bob']) }),
      ],
    });
    const bystander = await RoutingAccount.open(first, {
      users: people(['ada', 'bob']),
      routers: [router('R', {}, { users: people(['ada', 'bob']) })],
    });
    const [answers, turns] = await Promise.all([renameUnderLoad(account), bystander.turns('R', 20)]);
    expect(turns.split(' ').filter((name) => name === 'ada')).toHaveLength(10);

    for (const { kind, status, seen, doneBefore, begunAfter } of answers) {
      // A write with an e-mail that is nobody's any more is refused.
      const allowed = kind === 'write' ? [200, 400] : [200];
      expect(allowed).toContain(status);
      if (status === 400) expect(begunAfter).toBeGreaterThan(doneBefore);
      expect([kind, ...new Set(seen)].length).toBeLessThanOrEqual(2);
      const possible = Array.from({ length: begunAfter - doneBefore + 1 }, (_, n) => called(doneBefore + n));
      for (const email of seen) expect(possible).toContain(email);
    }
    const dispatched = answers.filter(({ kind, seen }) => kind === 'dispatch' && seen.length > 0);
    expect(new Set(dispatched.flatMap(({ seen }) => seen)).size).toBeGreaterThan(1);

    // Nothing names her in two ways.
    const stored = await sql<{ name: string }>(
      first,
      `SELECT DISTINCT named.name FROM (
         SELECT r.fields ->> 'contact_owner' AS name, r.account_id FROM records r
         UNION ALL SELECT r.owner, r.account_id FROM records r) AS named
       JOIN accounts a ON a.id = named.account_id WHERE a.slug = $1 AND named.name LIKE 'ada%'`,
      [account.slug],
    );
    expect(stored).toEqual([{ name: mail('ada') }]);
  });
});
