import type { AccountsRepository } from '../../../accounts/index.js';
import type { Database } from '../../../database/index.js';
import { FakeDatabase } from '../../../database/testing/fake-database.js';
import type { AccountDto } from '../account.dto.js';
import type { ApiClientsRepository } from '../../../auth/index.js';
import type { AuditRepository } from '../../change/audit.repository.js';
import { ChangesService } from '../../change/changes.service.js';
import { ConfigurationFileError } from '../configuration-file.error.js';
import type { AccountPlan } from '../plan.js';
import { PartlyAppliedError } from './partly-applied.error.js';
import type { Pruner } from '../prune/pruner.js';
import type { AccountSection } from './account.section.js';
import { AccountApplier } from './account-applier.js';
import { ApplyService } from './apply.service.js';
import type { ApplySection } from './apply-section.js';

let database: FakeDatabase;
/** Slugs of accounts that are new. */
let unknown: Set<string>;
/** What the only sections do, by slug. */
let sections: ApplySection[];
/** What prunes. */
let pruners: Pruner[];

const note = (event: string): Promise<void> => {
  database.events.push(event);
  return Promise.resolve();
};
const section = (name: string, act: (slug: string) => 'changes' | 'refuses' | 'nothing'): ApplySection => ({
  apply: async (run, { slug }) => {
    await note(`${name} of ${run.account.accountId}`);
    const action = act(slug);
    if (action === 'changes') run.add('create', { kind: 'user', id: name, name });
    if (action === 'refuses') run.refuse(name, 'No');
  },
});

const pruner = (name: string): Pruner => ({
  prune: (run) => note(`prune ${name} of ${run.account.accountId}`),
});

beforeEach(() => {
  database = new FakeDatabase();
  unknown = new Set();
  sections = [section('users', () => 'changes'), section('teams', () => 'nothing')];
  pruners = [pruner('routers'), pruner('teams')];
});

const apply = (slugs: readonly string[], dryRun = false, prune = false): Promise<AccountPlan[]> => {
  const accounts = {
    lockSlug: (_: unknown, slug: string) => note(`lock slug ${slug}`),
    lockConfiguration: (_: unknown, { accountId }: { accountId: string }) => note(`lock ${accountId}`),
    raiseVersion: (_: unknown, { accountId }: { accountId: string }) => note(`raise ${accountId}`),
  };
  const account = {
    open: async (_: unknown, { slug }: AccountDto) => {
      await note(`open ${slug}`);
      return { account: { accountId: slug.toUpperCase() }, created: unknown.has(slug) };
    },
  };
  const audit = {
    insert: (_: unknown, { accountId }: { accountId: string }) => note(`audit ${accountId}`),
  };
  const repository = accounts as unknown as AccountsRepository;
  const base = database as unknown as Database;
  const accountApplier = new AccountApplier(
    base,
    repository,
    new ChangesService(base, repository, {} as ApiClientsRepository, audit as unknown as AuditRepository),
    account as unknown as AccountSection,
    sections,
    pruners,
  );
  return new ApplyService(accountApplier).apply(
    { accounts: slugs.map((slug) => ({ slug })) },
    { dryRun, prune },
  );
};

describe('ApplyService', () => {
  it('locks the configuration only when all is written, and raises the version [contract 5]', async () => {
    expect(await apply(['a'])).toEqual([
      { account: 'a', changes: [{ action: 'create', kind: 'user', name: 'users', changes: [] }] },
    ]);
    expect(database.events).toEqual([
      'BEGIN',
      'lock slug a',
      'open a',
      'users of A',
      'teams of A',
      'audit A',
      'lock A',
      'raise A',
      'COMMIT',
    ]);
  });

  it('checks all accounts before it applies them in the order of the file, each in a transaction [contract 5]', async () => {
    const plans = await apply(['b', 'a']);
    expect(plans.map(({ account }) => account)).toEqual(['b', 'a']);
    expect(database.events.filter((event) => /^(BEGIN|open|COMMIT|ROLLBACK)/.test(event))).toEqual([
      'BEGIN', 'open b', 'ROLLBACK', 'BEGIN', 'open a', 'ROLLBACK',
      'BEGIN', 'open b', 'COMMIT', 'BEGIN', 'open a', 'COMMIT',
    ]);
  }); // prettier-ignore

  it('tells of a new account first [contract 5]', async () => {
    unknown.add('a');
    sections = [section('users', () => 'changes')];
    const [plan] = await apply(['a']);
    expect(plan?.changes.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['account a', 'user users']);
  });

  it('raises the version of a new account alone, too', async () => {
    unknown.add('a');
    sections = [];
    await apply(['a']);
    expect(database.events).toContain('raise A');
  });

  it('leaves the version alone where nothing has changed [contract 5]', async () => {
    sections = [section('users', () => 'nothing')];
    expect(await apply(['a'])).toEqual([{ account: 'a', changes: [] }]);
    expect(database.events).toEqual(['BEGIN', 'lock slug a', 'open a', 'users of A', 'COMMIT']);
  });

  it('prunes after all sections, if told to and if nothing is refused [contract 6]', async () => {
    await apply(['a'], false, true);
    const events = database.events.filter((event) => /of A|audit/.test(event));
    expect(events).toEqual(['users of A', 'teams of A', 'prune routers of A', 'prune teams of A', 'audit A']);
    sections = [section('users', () => 'refuses')];
    database.events.length = 0;
    await expect(apply(['a'], false, true)).rejects.toBeInstanceOf(ConfigurationFileError);
    expect(database.events).not.toContain('prune routers of A');
  });

  it('does it all in a dry run, and takes it back [contract 5]', async () => {
    const plans = await apply(['a', 'b'], true);
    expect(database.events.filter((event) => /^(raise|COMMIT|ROLLBACK)/.test(event))).toEqual([
      'raise A', 'ROLLBACK', 'raise B', 'ROLLBACK',
    ]);
    expect(plans).toEqual(await apply(['a', 'b']));
  }); // prettier-ignore

  it.each([false, true])('lists all that is wrong in all accounts, and applies none; dry run: %s [contract 5]', async (dryRun) => {
    const fails = (slug: string) => (slug === 'b' ? 'changes' : 'refuses');
    sections = [section('users', fails), section('teams', fails)];
    const error: unknown = await apply(['a', 'b', 'c'], dryRun).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConfigurationFileError);
    expect(error).not.toBeInstanceOf(PartlyAppliedError);
    expect((error as Error).message.split('\n')).toEqual([
      'accounts[0].users: No', 'accounts[0].teams: No', 'accounts[2].users: No', 'accounts[2].teams: No',
    ]);
    expect(database.events.filter((event) => /^(raise|COMMIT)/.test(event))).toEqual(['raise B']);
    expect(database.events.filter((event) => event === 'ROLLBACK')).toHaveLength(3);
  }); // prettier-ignore

  it('numbers the errors of all accounts that are too many to list [contract 5]', async () => {
    sections = Array.from({ length: 60 }, (_, index) => section(`s${index}`, () => 'refuses'));
    const error: unknown = await apply(['a', 'b']).catch((caught: unknown) => caught);
    expect((error as ConfigurationFileError).errors).toHaveLength(100);
    expect((error as Error).message).toMatch(/accounts\[1\]\.s39: No\n\(and 20 more\)$/);
  });

  it.each([
    ['refuses', (): Error => new ConfigurationFileError([{ field: 'accounts[1].users', message: 'No' }]), 'accounts[1].users: No'],
    ['fails', (): Error => new Error('connection lost'), 'accounts[1]: connection lost'],
  ])('has the plans of what is applied where the next account %s after the check [contract 5]', async (_, thrown, message) => {
    let times = 0;
    sections = [section('users', () => 'changes'), {
      apply: ({ account }) => account.accountId === 'B' && ++times === 2 ? Promise.reject(thrown()) : Promise.resolve(),
    }];
    const error: unknown = await apply(['a', 'b', 'c']).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PartlyAppliedError);
    expect((error as PartlyAppliedError).plans.map(({ account }) => account)).toEqual(['a']);
    expect((error as Error).message).toBe(`${message}\nThe accounts before it are applied, and none from it on`);
    expect(database.events.filter((event) => /^(open|COMMIT)/.test(event)).slice(3)).toEqual([
      'open a', 'COMMIT', 'open b',
    ]);
  }); // prettier-ignore

  it('has no plans where the first account fails after the check [contract 5]', async () => {
    const lost = new Error('connection lost');
    let times = 0;
    sections = [{ apply: () => (++times === 3 ? Promise.reject(lost) : Promise.resolve()) }];
    await expect(apply(['a', 'b'])).rejects.toBe(lost);
  });

  it.each([false, true])('passes on any other error, in a dry run as well: %s', async (dryRun) => {
    const lost = new Error('connection lost');
    sections = [{ apply: () => Promise.reject(lost) }];
    await expect(apply(['a'], dryRun)).rejects.toBe(lost);
  });
});
