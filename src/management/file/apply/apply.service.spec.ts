import type { AccountsRepository } from '../../../accounts/index.js';
import type { Database } from '../../../database/index.js';
import { FakeDatabase } from '../../../database/testing/fake-database.js';
import type { AccountDto } from '../account.dto.js';
import type { ApiClientsRepository } from '../../../auth/index.js';
import type { AuditRepository } from '../../change/audit.repository.js';
import { ChangesService } from '../../change/changes.service.js';
import { ConfigurationFileError } from '../configuration-file.error.js';
import type { AccountPlan } from '../plan.js';
import type { Pruner } from '../prune/pruner.js';
import type { AccountSection } from './account.section.js';
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
  return new ApplyService(
    base,
    repository,
    new ChangesService(base, repository, {} as ApiClientsRepository, audit as unknown as AuditRepository),
    account as unknown as AccountSection,
    sections,
    pruners,
  ).apply({ accounts: slugs.map((slug) => ({ slug })) }, { dryRun, prune });
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

  it('applies the accounts in the order of the file, each in a transaction of its own [contract 5]', async () => {
    const plans = await apply(['b', 'a']);
    expect(plans.map(({ account }) => account)).toEqual(['b', 'a']);
    expect(database.events.filter((event) => /^(BEGIN|open|COMMIT)/.test(event))).toEqual([
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
    expect(await apply(['a', 'b'], true)).toEqual(await apply(['a', 'b']));
    expect(database.events.filter((event) => /^(raise|COMMIT|ROLLBACK)/.test(event))).toEqual([
      'raise A', 'ROLLBACK', 'raise B', 'ROLLBACK', 'raise A', 'COMMIT', 'raise B', 'COMMIT',
    ]);
  }); // prettier-ignore

  it('lists all that is wrong in the first account that fails; those before it stay applied [contract 5]', async () => {
    const fails = (slug: string) => (slug === 'a' ? 'changes' : 'refuses');
    sections = [section('users', fails), section('teams', fails)];
    const error: unknown = await apply(['a', 'b', 'c']).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConfigurationFileError);
    expect(error).toMatchObject({ message: 'accounts[1].users: No\naccounts[1].teams: No' });
    expect(database.events.filter((event) => /^(raise|open|COMMIT|ROLLBACK)/.test(event))).toEqual([
      'open a', 'raise A', 'COMMIT', 'open b', 'ROLLBACK',
    ]);
  }); // prettier-ignore

  it.each([false, true])('passes on any other error, in a dry run as well: %s', async (dryRun) => {
    const lost = new Error('connection lost');
    sections = [{ apply: () => Promise.reject(lost) }];
    await expect(apply(['a'], dryRun)).rejects.toBe(lost);
  });
});
