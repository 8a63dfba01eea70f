import { moveRuns } from '../../support/processes/move-runs.js';
import { localTime } from '../../support/processes/presence.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

const FULL = 'assignment_limit_reached';

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

/**
 * Returns an account in which ada has one assignment, made at that instant, and a limit of one in the span.
 */
async function assignedAt(made: string, span: string, user: object): Promise<RoutingAccount> {
  const account = await RoutingAccount.open(service, {
    users: [{ email: mail('ada'), ...user, limits: { [span]: 1, ...(user as { limits?: object }).limits } }],
    routers: [router('R', {}, { users: people(['ada']) })],
  });
  expect(await account.turns('R', 1)).toBe('ada');
  await moveRuns(account, made);
  return account;
}

async function reasonAt(account: RoutingAccount, at: number): Promise<string> {
  const { status, body } = await account.simulate('R', { fields: {}, at: new Date(at).toISOString() });
  expect(status).toBe(200);
  return body.reason;
}

const NEW_YORK = 'America/New_York';
const KATHMANDU = 'Asia/Kathmandu';

/** The first instant of a window and the first after it. */
const CALENDAR: readonly (readonly [span: string, zone: string, from: string, to: string])[] = [
  ['hour', 'UTC', '2026-06-01T10:00:00.000Z', '2026-06-01T11:00:00.000Z'],
  ['hour', KATHMANDU, '2026-06-01T10:15:00.000Z', '2026-06-01T11:15:00.000Z'],
  ['day', 'UTC', '2026-06-01T00:00:00.000Z', '2026-06-02T00:00:00.000Z'],
  ['day', NEW_YORK, '2026-06-01T04:00:00.000Z', '2026-06-02T04:00:00.000Z'],
  ['day', KATHMANDU, '2026-05-31T18:15:00.000Z', '2026-06-01T18:15:00.000Z'],
  // 23 and 25 hours long.
  ['day', NEW_YORK, '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
  ['day', NEW_YORK, '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
  // From Monday.
  ['week', 'UTC', '2026-06-01T00:00:00.000Z', '2026-06-08T00:00:00.000Z'],
  ['week', NEW_YORK, '2026-03-02T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
  ['month', 'UTC', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ['month', NEW_YORK, '2026-12-01T05:00:00.000Z', '2027-01-01T05:00:00.000Z'],
];

describe('A calendar window', () => {
  const user = (timezone: string): object => ({ timezone, limits: { window: 'calendar' } });

  it.each(CALENDAR)(
    'of a %s in %s counts from %s until %s [contract 4, contract 6]',
    async (span, zone, from, to) => {
      const [first, end] = [Date.parse(from), Date.parse(to)];
      const account = await assignedAt(from, span, user(zone));
      expect(await reasonAt(account, first)).toBe(FULL);
      expect(await reasonAt(account, end - 1)).toBe(FULL);
      expect(await reasonAt(account, end)).toBe('round_robin');
      await moveRuns(account, new Date(end - 1).toISOString());
      expect(await reasonAt(account, end - 1)).toBe(FULL);
      expect(await reasonAt(account, end)).toBe('round_robin');
    },
  );

  it('counts dispatches as they come, and opens again once they are in the one before [contract 4]', async () => {
    // One of the zones in which the month does not end during the test: they are ten hours apart.
    const month = (zone: string, hours = 0): string => localTime(zone, hours).date.slice(0, 7);
    const zone = [NEW_YORK, KATHMANDU].find((each) => month(each) === month(each, 1))!;
    const account = await assignedAt(new Date().toISOString(), 'month', user(zone));
    expect(await account.turns('R', 1)).toBe(FULL);
    await moveRuns(account, new Date(Date.now() - 32 * 24 * 3_600_000).toISOString());
    expect(await account.turns('R', 2)).toBe(`ada ${FULL}`);
  });
});

describe('A rolling window', () => {
  it.each([
    ['hour', 3_600_000],
    ['day', 24 * 3_600_000],
    ['week', 7 * 24 * 3_600_000],
    ['month', 30 * 24 * 3_600_000],
  ])('of a %s is as long wherever and whenever it is [contract 4, contract 6]', async (span, length) => {
    // The instant is before a change of the clocks, and in another day, week and month.
    const made = '2026-03-08T04:59:59.999Z';
    for (const user of [{ timezone: NEW_YORK }, { limits: { window: 'rolling' } }]) {
      const account = await assignedAt(made, span, user);
      const start = Date.parse(made);
      expect(await reasonAt(account, start)).toBe(FULL);
      expect(await reasonAt(account, start + length - 1)).toBe(FULL);
      expect(await reasonAt(account, start + length + 1)).toBe('round_robin');
    }
  });
});
