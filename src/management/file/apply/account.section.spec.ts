import type { AccountsRepository, AccountEntity } from '../../../accounts/index.js';
import type { FieldsRepository } from '../../../fields/index.js';
import { done, newRun, TX } from '../../testing/apply.js';
import type { AccountDto } from '../account.dto.js';
import { AccountSection } from './account.section.js';

/** Accounts by slug: notes what is written. */
class FakeAccounts {
  readonly written: unknown[] = [];
  present: Partial<AccountEntity> | null = {
    id: 'acme',
    name: 'Acme',
    holidays: ['2026-12-25'],
    suspendedAt: null,
  };

  findBySlug(tx: unknown, slug: string): Promise<unknown> {
    expect([tx, slug]).toEqual([TX, 'acme-inc']);
    return Promise.resolve(this.present);
  }
  create(_: unknown, values: object): Promise<{ accountId: string }> {
    this.written.push(values);
    return Promise.resolve({ accountId: 'new' });
  }
  update(_: unknown, { accountId }: { accountId: string }, values: object): Promise<void> {
    this.written.push({ accountId, ...values });
    return Promise.resolve();
  }
}

let accounts: FakeAccounts;
let standardFieldsOf: string[];
let section: AccountSection;

beforeEach(() => {
  accounts = new FakeAccounts();
  standardFieldsOf = [];
  const fields = {
    insertStandard: (_: unknown, { accountId }: { accountId: string }) => {
      standardFieldsOf.push(accountId);
      return Promise.resolve();
    },
  };
  section = new AccountSection(
    accounts as unknown as AccountsRepository,
    fields as unknown as FieldsRepository,
  );
});

describe('an account that a file opens', () => {
  it('is the one with its slug, where there is one [contract 5]', async () => {
    const opened = await section.open(TX, { slug: 'acme-inc', name: 'Other' });
    expect(opened).toEqual({ account: { accountId: 'acme' }, created: false });
    expect([accounts.written, standardFieldsOf]).toEqual([[], []]);
  });

  it('is a new one with the standard fields otherwise, named by its slug unless told [contract 3, contract 5]', async () => {
    accounts.present = null;
    const account = { accountId: 'new' };
    expect(await section.open(TX, { slug: 'acme-inc' })).toEqual({ account, created: true });
    await section.open(TX, { slug: 'acme-inc', name: 'Acme Inc' });
    expect(accounts.written).toEqual([
      { slug: 'acme-inc', name: 'acme-inc' },
      { slug: 'acme-inc', name: 'Acme Inc' },
    ]);
    expect(standardFieldsOf).toEqual(['new', 'new']);
  });
});

describe('what a file says of an account', () => {
  const apply = async (dto: Omit<AccountDto, 'slug'>): Promise<string[]> => {
    const run = newRun();
    await section.apply(run, { slug: 'acme-inc', ...dto });
    return done(run);
  };

  it('changes what differs, and tells of it [contract 5]', async () => {
    expect(await apply({ name: 'Acme', holidays: ['2026-01-01'] })).toEqual([
      'update account acme-inc (holidays)',
    ]);
    expect(accounts.written).toEqual([{ accountId: 'acme', name: 'Acme', holidays: ['2026-01-01'] }]);
  });

  it.each([{}, { name: 'Acme' }, { suspended: false }, { name: 'Acme', holidays: ['2026-12-25'] }])(
    'changes nothing where it is so already: %j [contract 5]',
    async (dto) => {
      expect(await apply(dto)).toEqual([]);
      expect(accounts.written).toEqual([]);
    },
  );

  it('suspends it from now on, once, and lets it go again [contract 2, contract 5]', async () => {
    expect(await apply({ suspended: true })).toEqual(['update account acme-inc (suspended)']);
    expect(accounts.written).toEqual([{ accountId: 'acme', suspendedAt: expect.any(Date) }]);
    accounts.present = { ...accounts.present, suspendedAt: new Date(0) };
    expect(await apply({ suspended: true })).toEqual([]);
    expect(await apply({})).toEqual([]);
    expect(await apply({ suspended: false })).toEqual(['update account acme-inc (suspended)']);
    expect(accounts.written[1]).toEqual({ accountId: 'acme', suspendedAt: null });
  });
});
