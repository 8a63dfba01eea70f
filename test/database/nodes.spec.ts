// Stands in for the nodes of a cluster: a plain database that says of itself what Citus's own tables say.
import { randomUUID } from 'node:crypto';
import { Deadline } from '../../src/database/connection/deadline.js';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { Nodes } from '../../src/database/connection/nodes.js';
import { uuidHash } from '../../src/database/connection/nodes.js';
import { DatabaseUnavailableError } from '../../src/database/index.js';
import { poolOf } from '../../src/database/driver/driver.js';
import { query } from '../faults/embedded-support.js';
import { PostgresProxy } from '../support/database/postgres-proxy.cjs';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

let database: TestDatabase;
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database.drop());

it('the hash of an account is that of PostgreSQL, by which a cluster cuts its tables [contract 13]', async () => {
  const ids = Array.from({ length: 200 }, () => randomUUID() as string);
  ids.push('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  const hashes = await query(
    database.url,
    `SELECT uuid_hash(id::uuid) AS hash FROM unnest(string_to_array('${ids.join()}', ',')) AS id`,
  );
  expect(ids.map(uuidHash)).toEqual(hashes.map(({ hash }) => hash));
});

describe('the nodes of a cluster', () => {
  const proxies: PostgresProxy[] = [];
  let nodes: Nodes;
  let close: () => Promise<void>;

  beforeAll(async () => {
    // Both hosts say that they are the node `here`, as a node and its standby do; accounts of greater hashes
    // are at one that nobody names.
    await query(
      database.url,
      `CREATE TABLE pg_dist_local_group AS SELECT 1 AS groupid;
       CREATE TABLE pg_dist_node AS SELECT * FROM (VALUES (1, 'here', 1, 'primary'), (2, 'elsewhere', 2, 'primary'))
         AS node (groupid, nodename, nodeport, noderole);
       CREATE TABLE pg_dist_shard AS SELECT 'accounts'::regclass AS logicalrelid, * FROM (VALUES
         (1, '${-(2 ** 31)}'), (2, '0')) AS shard (shardid, shardminvalue);
       CREATE TABLE pg_dist_placement AS SELECT * FROM (VALUES (1, 1), (2, 2)) AS placement (shardid, groupid)`,
    );
    for (let n = 0; n < 2; n++) proxies.push(await PostgresProxy.start(database.url));
    const [first, second] = proxies.map(({ url }) => new URL(url).host);
    const url = proxies[0]!.url.replace(first!, `${first},${second}`);
    const dataSource = createDataSource({ url, poolSize: 2, entities: [] });
    await dataSource.initialize();
    nodes = new Nodes(poolOf(dataSource), () => undefined);
    await nodes.learn();
    close = async () => {
      await nodes.close();
      await dataSource.destroy();
      for (const proxy of proxies) await proxy.cut();
    };
  });
  afterAll(() => close());

  const account = (isHere: boolean): string => {
    for (;;) {
      const id = randomUUID();
      if (uuidHash(id) < 0 === isHere) return id;
    }
  };
  const opened = (): number[] => nodes.use.map(({ open }) => open);

  it('have connections for their accounts; those of other work lead to any host [contract 13]', async () => {
    expect(nodes.use.map(({ name, isAway }) => [name, isAway])).toEqual([
      ['here:1', false],
      ['here:1', false],
    ]);
    (await nodes.take(new Deadline(5_000), account(true))).release();
    expect(opened()).toEqual([1, 0]);
    for (const other of [account(false), undefined]) {
      (await nodes.take(new Deadline(5_000), other)).release();
      expect(opened()).toEqual([1, 0]);
    }
  });

  it('cost their accounts alone when they are away, at once, until they answer [contract 13]', async () => {
    await proxies[0]!.cut();
    await nodes.learn();
    expect(nodes.use.map(({ isAway }) => isAway)).toEqual([true, false]);
    (await nodes.take(new Deadline(5_000), account(true))).release();
    await proxies[1]!.cut();
    await nodes.learn();
    await expect(nodes.take(new Deadline(5_000), account(true))).rejects.toThrow(DatabaseUnavailableError);
    await proxies[0]!.restore();
    await nodes.learn();
    expect(nodes.use.map(({ isAway }) => isAway)).toEqual([false, true]);
    (await nodes.take(new Deadline(5_000), account(true))).release();
  });
});
