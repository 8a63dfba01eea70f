import type { AccountsRepository } from '../../accounts/index.js';
import type { CapacitiesRepository } from '../../capacities/index.js';
import type { Database, Transaction } from '../../database/index.js';
import { FakeDatabase } from '../../database/testing/fake-database.js';
import type { DirectoryRepository } from '../../directory/index.js';
import type { FieldsRepository } from '../../fields/index.js';
import type { RoutersRepository } from '../../routers/index.js';
import { capacity, configurationOf, routerOf, STANDARD } from '../testing/configuration.js';
import { ConfigurationLoader } from './configuration.loader.js';

const ACME = { accountId: 'acme' };
const { directory } = configurationOf();

/** Every repository of a configuration: notes through what each is read, and of whom. */
class FakeRepositories {
  readonly reads: [what: string, through: unknown, account: string][] = [];
  account: object | null = { configVersion: '7', holidays: ['2026-12-25'] };

  private read<T>(what: string, answer: T): (db: unknown, account: typeof ACME, of?: unknown) => Promise<T> {
    return (db, { accountId }, of) => {
      this.reads.push([of === undefined ? what : `${what} ${JSON.stringify(of)}`, db, accountId]);
      return Promise.resolve(answer);
    };
  }

  loader(database: FakeDatabase): ConfigurationLoader {
    return new ConfigurationLoader(
      database as unknown as Database,
      {
        find: (db: unknown, account: typeof ACME) => this.read('account', this.account)(db, account),
        currentVersion: this.read('version', '7'),
      } as unknown as AccountsRepository,
      { list: this.read('fields', STANDARD) } as unknown as FieldsRepository,
      { load: this.read('directory', directory) } as unknown as DirectoryRepository,
      { list: this.read('capacities', [capacity('Leads')]) } as unknown as CapacitiesRepository,
      { listActive: this.read('routers', [routerOf('R', [])]) } as unknown as RoutersRepository,
    );
  }
}

let database: FakeDatabase;
let repositories: FakeRepositories;
beforeEach(() => {
  database = new FakeDatabase();
  repositories = new FakeRepositories();
});

describe('ConfigurationLoader', () => {
  it('reads all of a configuration from one snapshot of the database [contract 4]', async () => {
    const loaded = await repositories.loader(database).load(ACME);
    expect(loaded).toMatchObject({
      version: '7',
      directory,
      capacities: [{ name: 'Leads' }],
      routers: new Map([['R', routerOf('R', [])]]),
    });
    expect(loaded?.catalog.get('contacts', 'email')).toBeDefined();
    expect(database.options).toEqual([{ isolation: 'REPEATABLE READ', readOnly: true }]);
    expect(repositories.reads.map(([what]) => what).sort()).toEqual([
      'account',
      'capacities',
      'directory ["2026-12-25"]',
      'fields',
      'routers',
    ]);
    expect(repositories.reads.every(([, through, of]) => through === database && of === 'acme')).toBe(true);
  });

  it('reads in a transaction that it is given', async () => {
    const tx = {} as Transaction;
    expect(await repositories.loader(database).read(tx, ACME)).toMatchObject({ version: '7' });
    expect(repositories.reads.every(([, through]) => through === tx)).toBe(true);
    expect(database.events).toEqual([]);
  });

  it('knows no configuration of an account that does not exist', async () => {
    repositories.account = null;
    expect(await repositories.loader(database).load(ACME)).toBeUndefined();
  });

  it('asks for the version as committed now, outside any transaction', async () => {
    expect(await repositories.loader(database).currentVersion(ACME)).toBe('7');
    expect(repositories.reads).toEqual([['version', database, 'acme']]);
  });
});
