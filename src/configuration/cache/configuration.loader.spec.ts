import type { AccountsRepository } from '../../accounts/index.js';
import type { CapacitiesRepository } from '../../capacities/index.js';
import type { Database, Transaction } from '../../database/index.js';
import { FakeDatabase } from '../../../test/units/fake-database.js';
import type { DirectoryRepository } from '../../directory/index.js';
import type { FieldsRepository } from '../../fields/index.js';
import type { RoutersRepository } from '../../routers/index.js';
import { capacity, configurationOf, routerOf } from '../../../test/units/configuration.js';
import { ConfigurationLoader } from './configuration.loader.js';

const ACME = { accountId: 'acme' };
const KNOWN = configurationOf({ capacities: [capacity('Leads')], routers: [routerOf('R', [])] });
const { catalog, directory, capacities, routers } = KNOWN;

/** Every repository of a configuration: notes through what each is read, and of whom. */
class FakeRepositories {
  readonly reads: [what: string, through: unknown, account: string][] = [];
  /** What a read was given beside the account. */
  readonly given: object[] = [];
  account: object | null = { configVersion: '7', holidays: ['2026-12-25'] };

  private read<T>(what: string, answer: T): (db: unknown, account: typeof ACME, of?: object) => Promise<T> {
    return (db, { accountId }, of) => {
      const holidays = of !== undefined && 'holidays' in of ? { holidays: of.holidays } : undefined;
      this.reads.push([holidays === undefined ? what : `${what} ${JSON.stringify(holidays)}`, db, accountId]);
      if (of !== undefined) this.given.push(of);
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
      { catalog: this.read('fields', catalog) } as unknown as FieldsRepository,
      { load: this.read('directory', directory) } as unknown as DirectoryRepository,
      { list: this.read('capacities', capacities) } as unknown as CapacitiesRepository,
      { mapActive: this.read('routers', routers) } as unknown as RoutersRepository,
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
    const loaded = await repositories.loader(database).load(ACME, undefined);
    expect(loaded).toEqual({ version: '7', catalog, directory, capacities, routers });
    expect(database.options).toEqual([{ isolation: 'REPEATABLE READ', readOnly: true }]);
    expect(repositories.reads.map(([what]) => what).sort()).toEqual([
      'account',
      'capacities',
      'directory {"holidays":["2026-12-25"]}',
      'fields',
      'routers',
    ]);
    expect(repositories.reads.every(([, through, of]) => through === database && of === 'acme')).toBe(true);
  });

  it('reads only what has changed since an earlier version that it is given', async () => {
    await repositories.loader(database).load(ACME, { ...KNOWN, version: '6' });
    const parts = repositories.given.map((given) => ('known' in given ? given.known : given));
    expect(parts).toEqual([catalog, directory, routers].map((part) => ({ part, version: '6' })));
  });

  it('reads all where the version it is given is a later one, as of a database that was restored', async () => {
    await repositories.loader(database).load(ACME, { ...KNOWN, version: '8' });
    expect(repositories.given).toEqual([{ holidays: ['2026-12-25'] }]);
  });

  it('reads in a transaction that it is given', async () => {
    const tx = {} as Transaction;
    expect(await repositories.loader(database).read(tx, ACME, undefined)).toMatchObject({ version: '7' });
    expect(repositories.reads.every(([, through]) => through === tx)).toBe(true);
    expect(database.events).toEqual([]);
  });

  it('knows no configuration of an account that does not exist', async () => {
    repositories.account = null;
    expect(await repositories.loader(database).load(ACME, undefined)).toBeUndefined();
  });

  it('asks for the version as committed now, outside any transaction', async () => {
    expect(await repositories.loader(database).currentVersion(ACME)).toBe('7');
    expect(repositories.reads).toEqual([['version', database, 'acme']]);
  });
});
