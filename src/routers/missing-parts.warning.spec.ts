import { Logger } from '@nestjs/common';
import type { AccountContext, AccountsRepository } from '../accounts/index.js';
import { configurationOf, routerOf, stored } from '../../test/units/configuration.js';
import type { Database } from '../database/index.js';
import { FakeDatabase } from '../../test/units/fake-database.js';
import { engine } from '../../test/units/engine-fixtures.js';
import { BUILT_IN_FIELD_TYPES, FieldTypeRegistry, type FieldsRepository } from '../fields/index.js';
import { MissingParts } from './missing-parts.js';
import { MissingPartsWarning } from './missing-parts.warning.js';
import type { RouterEntity } from './router.entity.js';
import type { RoutersRepository } from './routers.repository.js';

const BROKEN = stored({ distributionModel: 'last' });
const inAccount = (accountId: string, id: string, settings: object | null): RouterEntity =>
  routerOf(id, [], { accountId, settings: settings as RouterEntity['settings'] });

let asked: string[];
let warned: unknown[];

/** Starts with these suspects. */
function start(suspects: () => readonly RouterEntity[]): Promise<void> {
  const fields = {
    namesBeyond: () => Promise.resolve([]),
    catalog: (_: unknown, { accountId }: AccountContext) => {
      asked.push(`fields of ${accountId}`);
      return Promise.resolve(configurationOf().catalog);
    },
  };
  const accounts = {
    find: (_: unknown, { accountId }: AccountContext) => {
      asked.push(`account ${accountId}`);
      return Promise.resolve(accountId === 'gone' ? null : { slug: `slug-${accountId}` });
    },
  };
  const routers = {
    listBeyond: (_: unknown, __: unknown, most: number) => {
      asked.push(`${most} routers`);
      return Promise.resolve().then(suspects);
    },
  };
  return new MissingPartsWarning(
    new FakeDatabase() as unknown as Database,
    accounts as unknown as AccountsRepository,
    fields as unknown as FieldsRepository,
    routers as unknown as RoutersRepository,
    new MissingParts(engine, new FieldTypeRegistry(BUILT_IN_FIELD_TYPES)),
  ).onApplicationBootstrap();
}

beforeEach(() => {
  [asked, warned] = [[], []];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((message: unknown) => void warned.push(message));
});
afterEach(() => jest.restoreAllMocks());

const warning = (router: string, account: string): string =>
  `Router "Router ${router}" of account "${account}" cannot run, because no extension provides ` +
  'the distribution model "last": add one that does to EXTENSIONS';

describe('the warning of a start', () => {
  it('names the routers that cannot run, and reads each account once [contract 5]', async () => {
    await start(() => [
      inAccount('acme', 'A', BROKEN),
      inAccount('acme', 'B', BROKEN),
      inAccount('gone', 'C', BROKEN),
    ]);
    expect(warned).toEqual([warning('A', 'slug-acme'), warning('B', 'slug-acme'), warning('C', 'gone')]);
    expect(asked).toEqual([
      '100 routers',
      'fields of acme',
      'account acme',
      'fields of gone',
      'account gone',
    ]);
  });

  it('leaves out those that can [contract 5]', async () => {
    await start(() => [inAccount('acme', 'A', stored()), inAccount('acme', 'B', null)]);
    expect(warned).toEqual([]);
  });

  it('keeps nobody from starting [contract 5]', async () => {
    await start(() => {
      throw new Error('no database');
    });
    expect(warned).toEqual(['Routers could not be checked for missing extensions: Error: no database']);
  });
});
