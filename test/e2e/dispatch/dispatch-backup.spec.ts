import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { away, inside, onHoliday, outside } from '../../support/processes/presence.js';
import { TestService } from '../../support/test-service.js';

const PEOPLE: Record<string, object> = {
  ada: {},
  bob: {},
  off: { available: false },
  away: away(),
  asleep: outside(),
  dozing: outside('Asia/Tokyo'),
  partying: onHoliday(),
  busy: inside(),
  asleepAndOff: { available: false, ...outside() },
  asleepAndAway: { ...away(), ...outside() },
};
const NOBODY = 'no_users_available';

let service: TestService;
let account: RoutingAccount;
let routers = 0;

beforeAll(async () => {
  service = await TestService.shared();
  const users = Object.entries(PEOPLE).map(([name, more]) => ({ email: mail(name), ...more }));
  account = await RoutingAccount.open(service, { users });
});
afterAll(() => service.stop());

/** A new router with these settings and users. @returns its name */
async function routerOf(settings: object, names: readonly string[], more: object = {}): Promise<string> {
  const name = `R${++routers}`;
  await account.apply({ routers: [router(name, settings, { users: people(names), ...more })] });
  return name;
}

const lastRun = async (): Promise<any> => (await account.log()).at(-1);

describe('default_user', () => {
  it('gets what nobody in the pool is available for; the rotation stays [contract 4]', async () => {
    const name = await routerOf({ default_user: mail('ada') }, ['off', 'away', 'asleep']);
    const { status, body } = await account.dispatch(name, await account.contact());
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { success: true, user: mail('ada'), field_name: 'contact_owner', reason: 'default_user' },
    });
    expect(body.message).toBe('The object was successfully assigned');
    expect(await lastRun()).toMatchObject({ user_email: mail('ada'), reason: 'default_user' });
    expect((await lastRun()).trace.at(-1)).toEqual({
      step: 'default_user',
      user: mail('ada'),
      outcome: 'assigned',
    });
    expect((await account.rotation(name)).seq).toBe(0);
  });

  it('gets nothing while somebody is available [contract 4]', async () => {
    const name = await routerOf({ default_user: mail('ada') }, ['off', 'bob']);
    expect(await account.turns(name, 3)).toBe('bob bob bob');
  });

  it('gets everything of a router that lists nobody [contract 4]', async () => {
    expect(await account.turns(await routerOf({ default_user: mail('ada') }, []), 2)).toBe('ada ada');
  });

  it.each(['off', 'away', 'asleep', 'partying'])(
    'is the last resort, whatever their own availability: %s [contract 4]',
    async (name) => {
      expect(await account.turns(await routerOf({ default_user: mail(name) }, ['off']), 1)).toBe(name);
    },
  );

  it('may be in the pool too, and takes turns there like everyone else [contract 4]', async () => {
    const name = await routerOf({ default_user: mail('bob') }, ['ada', 'bob']);
    expect(await account.turns(name, 4)).toBe('ada bob ada bob');
  });

  it('may be written in any case [contract 4]', async () => {
    const name = await routerOf({ default_user: ' ADA@Acme.test ' }, ['off']);
    expect(await account.turns(name, 1)).toBe('ada');
    const { body } = await account.api.get(`/routers/${await account.routerId(name)}`);
    expect(body.settings.default_user).toBe(mail('ada'));
  });

  it('can be taken away again [contract 4]', async () => {
    const name = await routerOf({ default_user: mail('ada') }, ['off']);
    expect(await account.turns(name, 1)).toBe('ada');
    await account.apply({ routers: [{ name, settings: { default_user: null } }] });
    expect(await account.turns(name, 1)).toBe(NOBODY);
  });

  it('gets nothing once no user of the account any more [contract 4]', async () => {
    await account.apply({ users: people(['leaver']) });
    const name = await routerOf({ default_user: mail('leaver') }, ['off']);
    expect(await account.turns(name, 1)).toBe('leaver');
    await account.loseUser('leaver');
    await account.apply({ users: [{ email: mail('ada'), name: 'Ada' }] });
    expect(await account.turns(name, 1)).toBe(NOBODY);
    expect((await lastRun()).trace.at(-1)).toEqual({
      step: 'default_user',
      user: mail('leaver'),
      outcome: 'not_a_user',
    });
  });

  it('must be a user of the account [contract 4, contract 5]', async () => {
    await expect(routerOf({ default_user: 'nobody@acme.test' }, [])).rejects.toThrow(
      'accounts[0].routers[0].settings.default_user: nobody@acme.test is not a user of the account',
    );
  });
});

describe('disable_default_assignment', () => {
  const settings = { default_user: mail('ada'), disable_default_assignment: true };

  it('assigns no one with nobody available [contract 4]', async () => {
    const name = await routerOf(settings, ['off']);
    const { status, body } = await account.dispatch(name, await account.contact());
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        message: 'There are no users available and the backup user is disabled',
        success: false,
        reason: NOBODY,
        assignment_id: expect.any(String),
      },
    });
  });

  it('changes nothing while somebody is available [contract 4]', async () => {
    expect(await account.turns(await routerOf(settings, ['off', 'bob']), 2)).toBe('bob bob');
  });

  it('off again gives the backup back [contract 4]', async () => {
    const name = await routerOf(settings, ['off']);
    expect(await account.turns(name, 1)).toBe(NOBODY);
    await account.apply({ routers: [{ name, settings: { disable_default_assignment: false } }] });
    expect(await account.turns(name, 1)).toBe('ada');
  });
});

describe('ignore_working_hours', () => {
  const on = { ignore_working_hours: true };
  const everyone = Object.keys(PEOPLE).filter((name) => !['ada', 'bob', 'busy'].includes(name));

  it('off, leaves out everyone outside working hours [contract 4]', async () => {
    expect(await account.turns(await routerOf({}, ['asleep', 'dozing', 'partying']), 1)).toBe(NOBODY);
    expect(await account.turns(await routerOf({}, ['asleep', 'bob', 'dozing']), 2)).toBe('bob bob');
  });

  it('on, routes as if everyone were inside when everyone is outside [contract 4]', async () => {
    const name = await routerOf(on, ['asleep', 'dozing', 'partying']);
    expect(await account.turns(name, 4)).toBe('asleep dozing partying asleep');
    expect((await lastRun()).trace).toContainEqual({ step: 'ignore_working_hours', candidates: 3 });
    expect((await account.rotation(name)).seq).toBe(4);
  });

  it('on, changes nothing while somebody is inside [contract 4]', async () => {
    expect(await account.turns(await routerOf(on, ['asleep', 'busy', 'dozing']), 3)).toBe('busy busy busy');
  });

  it('on, still leaves out who is switched off or out of office [contract 4]', async () => {
    expect(await account.turns(await routerOf(on, everyone), 4)).toBe('asleep dozing partying asleep');
    const name = await routerOf(on, ['off', 'away', 'asleepAndOff', 'asleepAndAway']);
    expect(await account.turns(name, 1)).toBe(NOBODY);
  });

  it('on, comes before the backup, which gets what is left [contract 4]', async () => {
    const settings = { ...on, default_user: mail('ada') };
    expect(await account.turns(await routerOf(settings, ['asleep', 'off']), 2)).toBe('asleep asleep');
    expect(await account.turns(await routerOf(settings, ['off', 'asleepAndAway']), 1)).toBe('ada');
  });

  it('on, keeps percentages and turns by team [contract 4]', async () => {
    const shares = [
      { email: mail('asleep'), percentage: 75 },
      { email: mail('dozing'), percentage: 25 },
    ];
    const name = await routerOf({ ...on, distribution_model: 'percentage' }, [], { users: shares });
    const taken = (await account.turns(name, 8)).split(' ');
    expect(taken.filter((each) => each === 'dozing')).toHaveLength(2);
    await account.apply({ teams: [{ name: 'Night', members: [mail('dozing'), mail('partying')] }] });
    const byTeam = await routerOf({ ...on, rotation_type: 'teams' }, ['asleep'], {
      teams: [{ name: 'Night' }],
    });
    expect(await account.turns(byTeam, 4)).toBe('asleep dozing asleep partying');
  });
});
