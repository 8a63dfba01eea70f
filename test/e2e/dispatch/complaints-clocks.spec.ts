import { mail, router, RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

/** The first and the last instant of a working day, in zones with different changes of the clocks. */
const CLOCKS: readonly (readonly [zone: string, when: string, from: string, to: string])[] = [
  ['America/New_York', 'before spring', '2026-03-06T14:00:00.000Z', '2026-03-06T22:00:00.000Z'],
  ['America/New_York', 'after spring', '2026-03-09T13:00:00.000Z', '2026-03-09T21:00:00.000Z'],
  ['America/New_York', 'before autumn', '2026-10-30T13:00:00.000Z', '2026-10-30T21:00:00.000Z'],
  ['America/New_York', 'after autumn', '2026-11-02T14:00:00.000Z', '2026-11-02T22:00:00.000Z'],
  ['Europe/London', 'before spring', '2026-03-27T09:00:00.000Z', '2026-03-27T17:00:00.000Z'],
  ['Europe/London', 'after spring', '2026-03-30T08:00:00.000Z', '2026-03-30T16:00:00.000Z'],
  ['Australia/Sydney', 'before autumn', '2026-04-02T22:00:00.000Z', '2026-04-03T06:00:00.000Z'],
  ['Australia/Sydney', 'after autumn', '2026-04-05T23:00:00.000Z', '2026-04-06T07:00:00.000Z'],
  ['Australia/Lord_Howe', 'before half an hour', '2026-04-02T22:00:00.000Z', '2026-04-03T06:00:00.000Z'],
  ['Australia/Lord_Howe', 'after half an hour', '2026-04-05T22:30:00.000Z', '2026-04-06T06:30:00.000Z'],
  ['Asia/Kathmandu', 'all year', '2026-07-06T03:15:00.000Z', '2026-07-06T11:15:00.000Z'],
  ['UTC', 'all year', '2026-03-30T09:00:00.000Z', '2026-03-30T17:00:00.000Z'],
];

describe('No complaint that time zones and daylight saving shift working hours', () => {
  let account: RoutingAccount;

  beforeAll(async () => {
    const zones = [...new Set(CLOCKS.map(([zone]) => zone))];
    const person = (zone: string): string => mail(zone.toLowerCase().replace(/\W/g, '-'));
    const block = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '09:00', end: '17:00' };
    account = await RoutingAccount.open(service, {
      users: zones.map((timezone) => ({ email: person(timezone), timezone, working_hours: [block] })),
      routers: zones.map((zone) => router(zone, {}, { users: [{ email: person(zone) }] })),
    });
  });

  const reasonAt = async (zone: string, at: number): Promise<string> => {
    const { status, body } = await account.simulate(zone, { fields: {}, at: new Date(at).toISOString() });
    expect(status).toBe(200);
    return body.reason;
  };

  it.each(CLOCKS)('%s, %s [contract 4, contract 5, contract 6]', async (zone, _, from, to) => {
    const [first, end] = [Date.parse(from), Date.parse(to)];
    expect(await reasonAt(zone, first - 1)).toBe('no_users_available');
    expect(await reasonAt(zone, first)).toBe('round_robin');
    expect(await reasonAt(zone, end - 1)).toBe('round_robin');
    expect(await reasonAt(zone, end)).toBe('no_users_available');
  });
});
