import type { ApiClient, ApiResponse } from '../../support/api-client.js';
import { expectInvalid } from '../../support/error-object.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';
import { waitFor } from '../../support/wait-for.js';

let service: TestService;
let account: RoutingAccount;
let admin: ApiClient;

const HOUR = 3_600_000;
const ahead = (hours: number): string =>
  new Date(Math.round(Date.now() / 1_000 + hours * 3_600) * 1_000).toISOString();
const back = ahead(5);
const leave = ahead(3);

beforeAll(async () => {
  service = await TestService.shared();
  account = await RoutingAccount.open(service, {
    users: [
      { email: mail('ada'), limits: { day: 2, week: 9 } },
      { email: mail('bob'), out_of_office: [{ from: ahead(-5), to: back }] },
      { email: mail('cem'), out_of_office: [{ from: leave, to: ahead(30) }] },
      { email: mail('off'), available: false },
      { email: mail('never'), working_hours: [] },
    ],
    teams: [{ name: 'Sales', members: [mail('bob'), mail('ada')] }],
    capacities: [
      { name: 'Oslo', object_type: 'contacts', field: 'city', values: ['Oslo'], users: [{ email: mail('ada'), max: 7 }], teams: [{ name: 'Sales', max: 3 }] },
    ],
    routers: [router('R', { overwrite: true }, { users: people(['ada']) })],
  });
  admin = await service.login(account.slug, ['manage', 'directory:read']);
}); // prettier-ignore
afterAll(() => service.stop());

const now = async (query = ''): Promise<Record<string, any>> => {
  const { status, body } = await account.api.get(`/users?expand=now&limit=100${query}`);
  expect(status).toBe(200);
  return Object.fromEntries(body.data.map(({ email, now: each }: any) => [email.split('@')[0], each]));
};

const NOTHING = { contacts: 0, companies: 0, deals: 0, tickets: 0 };
const FREE = { eligible: true, because: null, until: null, limits: [], owned: NOTHING, capacities: [] };

describe('What holds of users now', () => {
  it('says who can get a record, why not, and until when [contract 6]', async () => {
    expect((await account.api.get('/users')).body.data[0].now).toBeUndefined();
    const limits = [
      { period: 'day', used: 0, max: 2 },
      { period: 'week', used: 0, max: 9 },
    ];
    expect(await now()).toEqual({
      ada: { ...FREE, limits, capacities: [{ name: 'Oslo', owned: 0, max: 7 }] },
      bob: {
        ...FREE,
        eligible: false,
        because: 'out_of_office',
        until: back,
        capacities: [{ name: 'Oslo', owned: 0, max: 3 }],
      },
      cem: { ...FREE, until: leave },
      off: { ...FREE, eligible: false, because: 'switched_off' },
      never: { ...FREE, eligible: false, because: 'outside_working_hours' },
    });
  });

  it('counts what they have: assignments in limits, records, and records in capacities [contract 6]', async () => {
    const before = Date.now();
    for (const city of ['Oslo', 'Rome']) await account.assign('R', await account.contact({ city }));
    await account.create('companies', { company_name: 'Acme', company_owner: mail('bob') });
    const { ada, bob } = await now();
    expect(ada).toMatchObject({
      eligible: false,
      because: 'day_limit_reached',
      limits: [{ used: 2 }, { used: 2 }],
      owned: { contacts: 2, companies: 0 },
      capacities: [{ name: 'Oslo', owned: 1, max: 7 }],
    });
    // The first of them counts for a day.
    const [, first] = (await account.api.get('/assignments')).body.data;
    expect(Date.parse(ada.until)).toBe(Date.parse(first.created_at) + 24 * HOUR + 1);
    expect(Date.parse(ada.until)).toBeGreaterThan(before + 24 * HOUR);
    expect(bob.owned).toEqual({ ...NOTHING, companies: 1 });
  });

  it('is as of a switch at once, of one user too, and of who is archived [contract 6]', async () => {
    const { body: made } = await admin.post('/users', { email: mail('eve') });
    const path = `/users/${made.id}`;
    const get = () => account.api.get(`${path}?expand=now`);
    expect((await get()).body.now).toEqual(FREE);
    await admin.patch(path, { available: false });
    const off = await get();
    expect(off.body.now.because).toBe('switched_off');
    const version = ({ headers }: ApiResponse) => headers.get('etag')?.split('-')[0];
    expect(version(off)).toBe(version(await account.api.get(path)));
    await admin.delete(path);
    expect((await get()).body.now).toEqual({ ...FREE, eligible: false, because: 'not_a_user' });
    expect((await now('&archived=true&q=eve'))['eve'].because).toBe('not_a_user');
  });

  it('narrows a list to who can get a record now, and to who cannot [contract 6]', async () => {
    const listed = async (query: string): Promise<[names: string[], count: number]> => {
      const { body } = await account.api.get(`/users?limit=100&${query}`);
      return [body.data.map(({ email }: any) => email.split('@')[0]), body.pagination.count];
    };
    const all = Object.entries(await now());
    for (const eligible of [true, false]) {
      const names = all.filter(([, each]) => each.eligible === eligible).map(([name]) => name);
      expect(names).not.toEqual([]);
      expect(await listed(`eligible=${eligible}`)).toEqual([names, names.length]);
    }
    expect(await listed('eligible=true&q=cem')).toEqual([['cem'], 1]);
    expect(await listed('eligible=false&team=Sales')).toEqual([['ada', 'bob'], 2]);
    expect((await account.api.get('/users?eligible=maybe')).status).toBe(400);
  });

  it('is all that can be expanded, of users alone [contract 1, contract 6]', async () => {
    expectInvalid(await account.api.get('/users?expand=later'), ['expand', 'expand must be now']);
    const allowed = '(allowed: q, limit, offset, after, archived)';
    expectInvalid(await account.api.get('/teams?expand=now'), [
      'expand',
      `Unknown query parameter: expand ${allowed}`,
    ]);
  });

  it('of a hundred users with rich calendars lets other work in between [contract 6]', async () => {
    const block = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] };
    const hours = Array.from({ length: 100 }, (_, n) => ({
      ...block,
      start: `${String(n % 24).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`,
      end: `${String(n % 24).padStart(2, '0')}:59`,
    }));
    const absences = Array.from({ length: 40 }, (_, n) => ({
      from: ahead(n * 24 + 1),
      to: ahead(n * 24 + 20),
    }));
    const rich = {
      working_hours: hours,
      out_of_office: absences,
      limits: { hour: 5, month: 100, window: 'calendar' },
    };
    const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];
    const many = await RoutingAccount.open(service, {
      users: Array.from({ length: 100 }, (_, n) => ({
        email: mail(`u${n}`),
        timezone: zones[n % 4],
        ...rich,
      })),
    });
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);
    const { body } = await many.api.get('/users?expand=now&limit=100');
    clearInterval(counting);
    expect(body.data.every(({ now: each }: any) => each.until !== null)).toBe(true);
    expect(turns).toBeGreaterThan(50);
  });

  it('lets what capacities count be counted in advance, though no router has run [contract 6]', async () => {
    const fresh = await RoutingAccount.open(service, {
      users: [{ email: mail('ada') }],
      capacities: [
        {
          name: 'Bergen',
          object_type: 'contacts',
          field: 'city',
          values: ['Bergen'],
          users: [{ email: mail('ada'), max: 7 }],
        },
      ],
      routers: [router('R', { overwrite: true }, { users: people(['ada']) })],
    });
    expect((await fresh.api.get('/users?expand=now')).status).toBe(200);
    await waitFor('the counter', async () => {
      const ready = await sql(service, `SELECT FROM record_counters WHERE having_values = '{Bergen}'`);
      return ready.length > 0 || undefined;
    });
  });
});
