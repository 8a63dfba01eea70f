import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { away, outside } from '../../support/processes/presence.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let account: RoutingAccount;
let hosts = 0;

beforeAll(async () => {
  service = await TestService.shared();
  account = await RoutingAccount.open(service, {
    users: [
      ...people(['ada', 'bob', 'kim', 'lee']),
      { email: mail('off'), available: false },
      { email: mail('away'), ...away() },
      { email: mail('asleep'), ...outside() },
      ...people(['gone']),
    ],
    routers: [
      router('on', { account_matching: true }, { users: people(['ada', 'bob']) }),
      router('overwriting', { account_matching: true, overwrite: true }, { users: people(['ada', 'bob']) }),
      router('off', { account_matching: false }, { users: people(['ada', 'bob']) }),
    ],
  });
});
afterAll(() => service.stop());

/** A host that no other test uses. */
const newHost = (): string => `host-${++hosts}.example`;

const company = (website_url: string, owner?: string): Promise<string> =>
  account.create('companies', {
    website_url,
    ...(owner === undefined ? {} : { company_owner: mail(owner) }),
  });

let contacts = 0;
const contactAt = (host: string, more: object = {}): Promise<string> =>
  account.contact({ email: `lead-${++contacts}@${host}`, ...more });

/** Matches a user from the rotation of `on`, not the owner of a company. */
const fromRotation = expect.stringMatching(/^(ada|bob)$/);

const matchingStep = async (): Promise<unknown> =>
  (await account.log()).at(-1)!.trace.find(({ step }) => step === 'account_matching');

describe('account_matching', () => {
  it('gives a contact to the owner of the company of its e-mail’s host [4.6, contract 4]', async () => {
    const host = newHost();
    const companyId = await company(host, 'kim');
    const before = await account.rotation('on');
    const { status, body } = await account.dispatch('on', await contactAt(host));
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        message: 'The object was successfully assigned',
        success: true,
        user: mail('kim'),
        field_name: 'contact_owner',
        reason: 'account_matched',
      },
    });
    expect(await matchingStep()).toEqual({
      step: 'account_matching',
      host,
      company_id: companyId,
      outcome: 'assigned',
      owner: mail('kim'),
    });
    expect(await account.rotation('on')).toEqual(before);
  });

  it('off, does not look at companies [contract 4]', async () => {
    const host = newHost();
    await company(host, 'kim');
    expect([await account.assign('off', await contactAt(host)), await matchingStep()]).toEqual([
      'ada',
      undefined,
    ]);
  });

  it.each([
    ['https://www.%/about?x=1#y', '%'],
    ['%', 'www.%'],
    ['WWW.%', '%'],
    ['http://user:secret@%:8080', 'www.www.%'],
    ['%.', '%'],
  ])(
    'takes the host in any form: website %s, e-mail at %s [2.8.2, contract 3, contract 4]',
    async (website, at) => {
      const host = newHost();
      await company(website.replace('%', host), 'kim');
      expect(await account.assign('on', await contactAt(at.replace('%', host)))).toBe('kim');
      expect(await account.assign('on', await contactAt(at.replace('%', host).toUpperCase()))).toBe('kim');
    },
  );

  it('takes an internationalised host in either form [contract 3, contract 4]', async () => {
    await company('https://bücher.example', 'kim');
    expect(await account.assign('on', await contactAt('bücher.example'))).toBe('kim');
    expect(await account.assign('on', await contactAt('xn--bcher-kva.example'))).toBe('kim');
  });

  it('goes by the nearest domain above that has a company, never by a public suffix [contract 4]', async () => {
    const host = newHost();
    await company(host, 'kim');
    await company(`emea.${host}`, 'lee');
    expect(await account.assign('on', await contactAt(`mail.${host}`))).toBe('kim');
    expect(await account.assign('on', await contactAt(`a.b.emea.${host}`))).toBe('lee');
    await company('com.au', 'kim');
    expect(await account.assign('on', await contactAt('someone.com.au'))).toEqual(fromRotation);
  });

  it.each(['gmail.com', 'googlemail.com', 'yahoo.co.uk', 'proton.me', 'gmx.de'])(
    'never takes a free-mail domain for a company: %s [contract 4]',
    async (domain) => {
      await company(domain, 'kim');
      expect(await account.assign('on', await contactAt(domain))).toEqual(fromRotation);
    },
  );

  it.each(['x%', '%.org', 'another.example'])(
    'does not match another host: %s [contract 4]',
    async (other) => {
      const host = newHost();
      await company(host, 'kim');
      expect(await account.assign('on', await contactAt(other.replace('%', host)))).toEqual(fromRotation);
      expect(await matchingStep()).toEqual({ step: 'account_matching', outcome: 'no_company' });
    },
  );

  it('goes to the rotation without an e-mail, or with one that names no host [contract 4]', async () => {
    for (const email of [undefined, 'nobody', 'nobody@', 'nobody@localhost', '@', 'a@b c.example']) {
      const id = await account.contact(email === undefined ? {} : { email });
      expect(await account.assign('on', id)).toEqual(fromRotation);
      expect(await matchingStep()).toEqual({ step: 'account_matching', outcome: 'no_company' });
    }
  });

  it('does not go by the contact’s own website or company name [contract 4]', async () => {
    const host = newHost();
    await account.create('companies', { website_url: host, company_name: host, company_owner: mail('kim') });
    const id = await contactAt('elsewhere.example', { website_url: host, company_name: host });
    expect(await account.assign('on', id)).toEqual(fromRotation);
  });

  it('ignores an archived company, and takes the active one of its host [3, contract 4]', async () => {
    const host = newHost();
    const old = await company(host, 'kim');
    await account.api.delete(`/companies/${old}`);
    expect(await account.assign('on', await contactAt(host))).toEqual(fromRotation);
    await company(host, 'lee');
    expect(await account.assign('on', await contactAt(host))).toBe('lee');
  });

  it('follows a new website and a new owner of the company [contract 4]', async () => {
    const [before, after] = [newHost(), newHost()];
    const id = await company(before, 'kim');
    await account.api.patch(`/companies/${id}`, {
      fields: { website_url: after, company_owner: mail('lee') },
    });
    expect(await account.assign('on', await contactAt(before))).toEqual(fromRotation);
    expect(await account.assign('on', await contactAt(after))).toBe('lee');
  });

  it('goes to the rotation where the company has no owner [contract 4]', async () => {
    const host = newHost();
    const companyId = await company(host);
    expect(await account.assign('on', await contactAt(host))).toEqual(fromRotation);
    const step = { step: 'account_matching', host, company_id: companyId, outcome: 'no_owner' };
    expect(await matchingStep()).toEqual(step);
  });

  it.each([
    ['off', 'switched_off'],
    ['away', 'out_of_office'],
    ['asleep', 'outside_working_hours'],
  ])('goes to the rotation where the owner is unavailable: %s [contract 4]', async (owner, reason) => {
    const host = newHost();
    await company(host, owner);
    expect(await account.assign('on', await contactAt(host))).toEqual(fromRotation);
    expect(await matchingStep()).toMatchObject({
      outcome: 'owner_not_eligible',
      owner: mail(owner),
      reasons: [reason],
    });
  });

  it('goes to the rotation where the owner is no user any more [contract 4]', async () => {
    const host = newHost();
    await company(host, 'gone');
    expect(await account.assign('on', await contactAt(host))).toBe('gone');
    await account.loseUser('gone');
    await account.apply({ users: [{ email: mail('ada'), name: 'Ada' }] });
    expect(await account.assign('on', await contactAt(host))).toEqual(fromRotation);
    expect(await matchingStep()).toMatchObject({ outcome: 'owner_not_eligible', reasons: ['not_a_user'] });
  });

  it('never matches a company of another account [1, 5.3, contract 4]', async () => {
    const host = newHost();
    const users = people(['zoe', 'kim']);
    const other = await RoutingAccount.open(service, { users });
    await other.create('companies', { website_url: host, company_owner: mail('kim') });
    expect(await account.assign('on', await contactAt(host))).toEqual(fromRotation);
    expect(await matchingStep()).toEqual({ step: 'account_matching', outcome: 'no_company' });
  });

  it('respects an owner the router can not overwrite, and replaces one it can [contract 4]', async () => {
    const host = newHost();
    await company(host, 'kim');
    const id = await contactAt(host, { contact_owner: mail('lee') });
    expect(await account.assign('on', id)).toBe('owner_present');
    expect(await account.assign('overwriting', id)).toBe('kim');
  });

  it('takes effect when it is switched on, and ends when it is switched off [contract 4]', async () => {
    const host = newHost();
    await company(host, 'kim');
    await account.apply({ routers: [router('switched', {}, { users: people(['ada']) })] });
    const change = (account_matching: boolean): Promise<void> =>
      account.apply({ routers: [{ name: 'switched', settings: { account_matching } }] });
    expect(await account.assign('switched', await contactAt(host))).toBe('ada');
    await change(true);
    expect(await account.assign('switched', await contactAt(host))).toBe('kim');
    await change(false);
    expect(await account.assign('switched', await contactAt(host))).toBe('ada');
  });

  it.each(['companies', 'deals', 'tickets'])(
    'is refused for a router of %s [contract 4, contract 5]',
    async (type) => {
      const refused = router('Refused', { account_matching: true }, { object_type: type });
      await expect(account.apply({ routers: [refused] })).rejects.toThrow(
        'accounts[0].routers[0].settings.account_matching: account_matching is for routers of contacts only',
      );
    },
  );
});
