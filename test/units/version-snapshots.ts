import type { Database } from '../../src/database/index.js';
import { BUILTINS } from './engine-fixtures.js';
import { notFound } from '../../src/errors/errors.js';
import {
  contentOf,
  RouterValidator,
  withContent,
  type RouterContent,
  type RoutersRepository,
  type RouterVersionsRepository,
  type VersionChoice,
} from '../../src/routers/index.js';
import { VersionSnapshots } from '../../src/dispatch/simulation/version-snapshots.js';
import { snapshots, TYPES } from './decisions.js';

/** What versions of a router have beside what its row has. */
export type FakeVersions = ReadonlyMap<VersionChoice, Partial<RouterContent>>;

/** Snapshots of routers in these versions. */
export function versionSnapshots(versions: FakeVersions = new Map()): VersionSnapshots {
  const read = (...[, , { router, version }]: Parameters<RouterVersionsRepository['read']>) => {
    const found = versions.get(version);
    return found === undefined
      ? Promise.reject(notFound('Version not found'))
      : Promise.resolve(withContent(router, { ...contentOf(router), ...found }, { published: false }));
  };
  const database = {
    for: (): unknown => database,
    read: (work: (db: unknown) => unknown): unknown => work(database),
  } as unknown as Database;
  return new VersionSnapshots(
    database,
    snapshots(),
    { read } as unknown as RouterVersionsRepository,
    new RouterValidator(TYPES, BUILTINS.operators, BUILTINS.models),
    {} as RoutersRepository,
  );
}
