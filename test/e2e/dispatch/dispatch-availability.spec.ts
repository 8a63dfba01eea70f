import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { away, hoursFromNow, inside, localTime, outside, today } from '../../support/processes/presence.js';
import { TestService } from '../../support/test-service.js';

const NOBODY = 'no_users_available';
/** Zones up to 25 hours apart, some with offsets of half and quarter hours. */
const ZONES = [
  'UTC',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
];
const EVERY_DAY = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

/**
 * Returns which of these users gets a record from a router that lists only them, or the reason when nobody
 * does.
 */
async function whoGets(users: Readonly<Record<string, object>>, file: object = {}): Promise<string> {
  const names = Object.keys(users);
  const account = await RoutingAccount.open(service, {
    users: names.map((name) => ({ email: mail(name), ...users[name] })),
    routers: [router('R', {}, { users: people(names) })],
    ...file,
  });
  return account.turns('R', 2);
}

const nobody = `${NOBODY} ${NOBODY}`;

describe('The availability switch', () => {
  it('off, keeps a user out of every turn [4.6, contract 4, contract 5]', async () => {
    expect(await whoGets({ ada: { available: false }, bob: {} })).toBe('bob bob');
    expect(await whoGets({ ada: { available: false } })).toBe(nobody);
  });

  it('on or not mentioned, keeps nobody out [contract 4, contract 5]', async () => {
    expect(await whoGets({ ada: { available: true }, bob: {} })).toBe('ada bob');
  });

  it('is traced as the reason [contract 4]', async () => {
    const account = await RoutingAccount.open(service, {
      users: [
        { email: mail('ada'), available: false, ...away(), ...outside() },
        { email: mail('bob'), ...away() },
        { email: mail('eve'), ...outside('Asia/Tokyo') },
        ...people(['dan']),
      ],
      routers: [router('R', {}, { users: people(['ada', 'bob', 'eve', 'dan']) })],
    });
    expect(await account.turns('R', 1)).toBe('dan');
    expect((await account.log())[0]!.trace).toContainEqual({
      step: 'eligibility',
      in: [mail('dan')],
      out: [
        { reasons: ['switched_off', 'out_of_office', 'outside_working_hours'], users: [mail('ada')] },
        { reasons: ['out_of_office'], users: [mail('bob')] },
        { reasons: ['outside_working_hours'], users: [mail('eve')] },
      ],
    });
  });
});

describe('An absence', () => {
  const absence = (from: string, to: string): object => ({ out_of_office: [{ from, to }] });

  it('keeps a user out while it lasts [contract 4, contract 5]', async () => {
    expect(await whoGets({ ada: away(), bob: {} })).toBe('bob bob');
  });

  it.each([
    ['past', absence(hoursFromNow(-48), hoursFromNow(-2))],
    ['future', absence(hoursFromNow(2), hoursFromNow(48))],
  ])('does not when it is %s [contract 4, contract 5]', async (_, user) => {
    expect(await whoGets({ ada: user, bob: {} })).toBe('ada bob');
  });

  it('counts among several [contract 4, contract 5]', async () => {
    const past = { from: hoursFromNow(-48), to: hoursFromNow(-24) };
    const now = { from: hoursFromNow(-2), to: hoursFromNow(2) };
    expect(await whoGets({ ada: { out_of_office: [past, now] }, bob: {} })).toBe('bob bob');
  });

  it('is an instant, whatever offset it is written in and wherever the user is [contract 5]', async () => {
    const written = (hours: number): string => {
      const shifted = new Date(Date.now() + (hours + 14) * 3_600_000).toISOString();
      return shifted.replace('Z', '+14:00');
    };
    const user = { timezone: 'Pacific/Pago_Pago', ...absence(written(-2), written(2)) };
    expect(await whoGets({ ada: user, bob: {} })).toBe('bob bob');
    const over = { timezone: 'Pacific/Pago_Pago', ...absence(written(-4), written(-2)) };
    expect(await whoGets({ ada: over, bob: {} })).toBe('ada bob');
  });

  it('counts in the basic form of ISO 8601, which calendars write [contract 3]', async () => {
    const basic = (hours: number): string => hoursFromNow(hours).replace(/[-:]|\.\d+/g, '');
    const absence = { from: basic(-2), to: basic(2) };
    expect(await whoGets({ ada: { out_of_office: [absence] }, bob: {} })).toBe('bob bob');
  });

  it.each(ZONES)('by dates alone is one of local days: %s [contract 3]', async (timezone) => {
    const [first = '', last = first] = today(timezone);
    const [before, after] = [-49, 49].map((hours) => localTime(timezone, hours).date);
    const who = (from = '', to = '') =>
      whoGets({ ada: { timezone, out_of_office: [{ from, to }] }, bob: {} });
    expect(await who(first, last)).toBe('bob bob');
    expect(await who(after, after)).toBe('ada bob');
    expect(await who(before, before)).toBe('ada bob');
  });

  it('also counts inside working hours [contract 4]', async () => {
    expect(await whoGets({ ada: { ...inside(), ...away() }, bob: {} })).toBe('bob bob');
  });
});

describe.each(ZONES)('Working hours in %s', (zone) => {
  it('let a user in who is inside them on the own clock [contract 4, contract 5]', async () => {
    expect(await whoGets({ ada: inside(zone), bob: outside(zone) })).toBe('ada ada');
  });

  it('keep a user out who is outside them on the own clock [contract 4, contract 5]', async () => {
    expect(await whoGets({ ada: outside(zone) })).toBe(nobody);
  });

  it('hold on the own days of the week [contract 4, contract 5]', async () => {
    const block = (days: string[]): object => ({
      timezone: zone,
      working_hours: [{ days, start: '00:00', end: '24:00' }],
    });
    const now = [localTime(zone).weekday, localTime(zone, 1).weekday];
    const others = EVERY_DAY.filter((day) => !now.includes(day));
    expect(await whoGets({ ada: block(now), bob: block(others) })).toBe('ada ada');
  });

  it('are none on a holiday of the user, by the own calendar [contract 5]', async () => {
    const holidays = today(zone);
    expect(await whoGets({ ada: { ...inside(zone), holidays }, bob: {} })).toBe('bob bob');
    expect(await whoGets({ ada: { timezone: zone, holidays }, bob: {} })).toBe('bob bob');
  });
});

describe('Far time zones', () => {
  const everyDay = (timezone: string): object => ({ timezone });

  it('are on different days: a holiday of the account is one for those whose date it is [contract 5]', async () => {
    const users = { kiri: everyDay('Pacific/Kiritimati'), pago: everyDay('Pacific/Pago_Pago') };
    expect(await whoGets(users, { holidays: today('Pacific/Kiritimati') })).toBe('pago pago');
    expect(await whoGets(users, { holidays: today('Pacific/Pago_Pago') })).toBe('kiri kiri');
    const both = [...today('Pacific/Kiritimati'), ...today('Pacific/Pago_Pago')];
    expect(await whoGets(users, { holidays: both })).toBe(nobody);
  });

  it('and the working days of one are not those of the other [contract 5]', async () => {
    const days = (zone: string): string[] => [localTime(zone).weekday, localTime(zone, 1).weekday];
    const on = (timezone: string, of: string): object => ({
      timezone,
      working_hours: [{ days: days(of), start: '00:00', end: '24:00' }],
    });
    const [kiri, pago] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
    expect(await whoGets({ kiri: on(kiri, kiri), pago: on(pago, kiri) })).toBe('kiri kiri');
    expect(await whoGets({ kiri: on(kiri, pago), pago: on(pago, pago) })).toBe('pago pago');
  });

  it('and the working hours of one are not those of another five hours away [contract 5]', async () => {
    const tashkent = { ...inside('UTC'), timezone: 'Asia/Tashkent' };
    expect(await whoGets({ ada: inside('UTC'), bob: tashkent })).toBe('ada ada');
  });
});

describe('Working hours', () => {
  it('of several blocks let a user in during any of them [contract 5]', async () => {
    const blocks = [outside(), inside()].flatMap(
      (each) => (each as { working_hours: object[] }).working_hours,
    );
    expect(await whoGets({ ada: { working_hours: blocks }, bob: outside() })).toBe('ada ada');
  });

  it('that are an empty list are never, and without any it is always [contract 5]', async () => {
    expect(await whoGets({ ada: { working_hours: [] }, bob: {} })).toBe('bob bob');
    expect(await whoGets({ ada: { working_hours: null }, bob: {} })).toBe('ada bob');
  });

  it('past midnight belong to the day they start on [contract 5]', async () => {
    // From east to west, one zone has it between six and seven, also where an hour ends meanwhile.
    const [timezone, { weekday, time }] = Array.from({ length: 24 }, (_, index) => 14 - index)
      .map((hours) => (hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`))
      .map((zone) => [zone, localTime(zone)] as const)
      .find(([, local]) => local.time.startsWith('06:'))!;
    expect(time).toMatch(/^06:/);
    const night = (day: string): object => ({
      timezone,
      working_hours: [{ days: [day], start: '20:00', end: '12:00' }],
    });
    const yesterday = localTime(timezone, -12).weekday;
    expect(await whoGets({ ada: night(yesterday), bob: night(weekday) })).toBe('ada ada');
  });

  it('end with the day before a holiday, also in a block that runs past midnight [contract 5]', async () => {
    const user = { working_hours: [{ days: EVERY_DAY, start: '00:00', end: '00:00' }], holidays: today() };
    expect(await whoGets({ ada: user, bob: {} })).toBe('bob bob');
  });

  it('are there again the day after a holiday [contract 5]', async () => {
    const holidays = [localTime('UTC', -48).date, localTime('UTC', 48).date];
    expect(await whoGets({ ada: { ...inside(), holidays } }, { holidays })).toBe('ada ada');
  });
});
