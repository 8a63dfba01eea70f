import { configurationOf, routerOf } from '../../test/units/configuration.js';
import type { Database } from '../database/index.js';
import type { DirectoryRepository } from '../directory/index.js';
import { user } from '../../test/units/engine-fixtures.js';
import { cursorBehind } from '../paging/index.js';
import { contentOf, withContent, type VersionChoice } from './router-content.js';
import type { RouterVersionsRepository } from './router-versions.repository.js';
import type { RouterEntity } from './router.entity.js';
import type { RoutersRepository } from './routers.repository.js';
import type { RouterStatuses } from './router-statuses.js';
import { RoutersService } from './routers.service.js';

const ACME = { accountId: 'acme' };
const ID = '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5';
const database = {
  for: (): unknown => database,
  transaction: (work: (tx: unknown) => unknown, options: unknown) => {
    expect(options).toEqual({ isolation: 'REPEATABLE READ', readOnly: true, eager: true });
    return work(database);
  },
} as unknown as Database;
type ReadVersion = Parameters<RouterVersionsRepository['read']>;

/** Version 2 has another name; the live one is the row. */
const versionOf = (router: RouterEntity, version: VersionChoice): Promise<RouterEntity> =>
  Promise.resolve(version === 2 ? withContent(router, { ...contentOf(router), name: 'Before' }) : router);

const { directory } = configurationOf({ users: [user('ada')] });

let asked: unknown[];
let more: boolean;
let present: RouterEntity | null;
let service: RoutersService;

beforeEach(() => {
  asked = [];
  more = true;
  present = null;
  const routers = {
    list: (db: unknown, { accountId }: typeof ACME, request: unknown) => {
      expect(db).toBe(database);
      asked.push([accountId, request]);
      return Promise.resolve({ rows: [routerOf('R', ['ada']), routerOf('S', [])], count: 9, more });
    },
    findWithDraft: (_: unknown, { accountId }: typeof ACME, id: string) => {
      asked.push([accountId, id]);
      return Promise.resolve(present);
    },
  };
  const directories = {
    loadSome: (
      db: unknown,
      { accountId }: typeof ACME,
      { userIds, teamIds }: Record<string, Set<string>>,
    ) => {
      expect([db, accountId, [...(userIds ?? [])]]).toEqual([database, 'acme', ['id-ada']]);
      expect(teamIds).toEqual(new Set());
      return Promise.resolve(directory);
    },
  };
  service = new RoutersService(
    database,
    routers as unknown as RoutersRepository,
    directories as unknown as DirectoryRepository,
    {
      read: (...[, , { router, version }]: ReadVersion) => versionOf(router, version),
    } as RouterVersionsRepository,
    {} as RouterStatuses,
  );
});

describe('RoutersService', () => {
  it('shows a page of routers with their pools [4.5, contract 3]', async () => {
    const request = { limit: 2, offset: 4, archived: true };
    const page = await service.list(ACME, request);
    expect(page.data).toMatchObject([{ id: 'R', users: [{ email: 'ada@acme.test' }] }, { id: 'S' }]);
    expect(page.pagination).toEqual({ limit: 2, offset: 4, count: 9, next: cursorBehind('S') });
    expect(asked).toEqual([['acme', { ...request, behind: undefined }]]);
  });

  it('follows the pages to the last one [4.5, contract 3]', async () => {
    more = false;
    const request = { limit: 2, offset: 0, archived: false, after: cursorBehind(ID) };
    expect((await service.list(ACME, request)).pagination.next).toBeNull();
    expect(asked).toEqual([['acme', { limit: 2, offset: 0, archived: false, behind: ID }]]);
  });

  it('shows one router, archived or not [4.5]', async () => {
    present = routerOf(ID, ['ada'], { archivedAt: new Date(0) });
    expect(await service.get(ACME, ID)).toMatchObject({
      id: ID,
      users: [{ email: 'ada@acme.test' }],
      archived: '1970-01-01T00:00:00.000Z',
    });
    expect(asked).toEqual([['acme', ID]]);
  });

  it('shows a router in another version [contract 6]', async () => {
    present = routerOf(ID, ['ada'], { name: 'Now' });
    expect(await service.get(ACME, ID, { version: 2 })).toMatchObject({ name: 'Before' });
    expect(await service.get(ACME, ID, { version: 'live' })).toMatchObject({ name: 'Now' });
  });

  it('knows no router that does not exist, and asks for none that cannot [5.3]', async () => {
    const refusal = { status: 404, message: 'Router not found' };
    await expect(service.get(ACME, ID)).rejects.toMatchObject(refusal);
    await expect(service.get(ACME, 'x')).rejects.toMatchObject(refusal);
    expect(asked).toHaveLength(1);
  });
});
