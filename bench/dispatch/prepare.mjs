// Prepares the database for a dispatch benchmark.
import { withClient } from '../support/with-client.mjs';

/** Returns a token, the ids of the routers in the order of their names, and new contacts to assign. */
export async function prepareService(url, { client_id, client_secret }, count) {
  const token = await json(`${url}/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id, client_secret }),
  });
  const headers = { authorization: `Bearer ${token.access_token}` };
  const routers = await allRouters(url, headers);
  const objects = [];
  for (let start = 0; start < count; start += 50) {
    const creates = Array.from({ length: 50 }, (_, n) =>
      json(`${url}/contacts`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ fields: { first_name: 'Bench', email: `c${start + n}@example.org` } }),
      }),
    );
    objects.push(...(await Promise.all(creates)).map(({ id }) => id));
  }
  return { headers, routers, objects };
}

/** Returns the ids of all routers, page by page. */
async function allRouters(url, headers) {
  const ids = [];
  for (;;) {
    const { data } = await json(`${url}/routers?limit=100&offset=${ids.length}`, { headers });
    ids.push(...data.map(({ id }) => id));
    if (data.length < 100) return ids;
  }
}

async function json(url, options) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

export async function prepareBaseline(url, records, routers) {
  await withClient(url, async (client) => {
    await client.query(`
      CREATE TABLE bench_routers (id int PRIMARY KEY, name text);
      CREATE TABLE bench_members (id int PRIMARY KEY, email text);
      CREATE TABLE bench_turns (router int PRIMARY KEY, turn int) WITH (fillfactor = 50);
      CREATE TABLE bench_records (id int PRIMARY KEY, owner text) WITH (fillfactor = 90);
      CREATE TABLE bench_log (id bigserial PRIMARY KEY, router int, object int, email text, at timestamptz DEFAULT now());
      CREATE TABLE bench_commits (id bigserial PRIMARY KEY, n int);
      INSERT INTO bench_routers SELECT n, 'R' || n FROM generate_series(0, ${routers - 1}) n;
      INSERT INTO bench_turns SELECT n, 0 FROM generate_series(0, ${routers - 1}) n;
      INSERT INTO bench_members SELECT n, 'user' || n || '@bench.test' FROM generate_series(0, 9) n;
      INSERT INTO bench_records SELECT n, NULL FROM generate_series(0, ${records - 1}) n`);
  });
}

/**
 * Measures how many inserted rows one connection can commit per second. This is the upper bound for one flush
 * per dispatch.
 */
export async function singleCommits(url, seconds) {
  return withClient(url, async (client) => {
    const end = performance.now() + seconds * 1000;
    let count = 0;
    while (performance.now() < end) {
      await client.query({
        name: 'commit',
        text: 'INSERT INTO bench_commits (n) VALUES ($1)',
        values: [count++],
      });
    }
    return count / seconds;
  });
}
