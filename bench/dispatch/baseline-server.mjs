// The baselines: assigning records on plain node:http and pg, without the service's authentication,
// validation, eligibility checks, fairness or trace.
// - POST /naive {router, object}: a transaction of seven round trips.
// - POST /one {router, object}: one statement.
import { createServer } from 'node:http';
import pg from 'pg';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE),
});

async function naive(router, object) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query({
      name: 'router',
      text: 'SELECT * FROM bench_routers WHERE id = $1',
      values: [router],
    });
    const members = await client.query({
      name: 'members',
      text: 'SELECT email FROM bench_members ORDER BY id',
    });
    const turn = await client.query({
      name: 'turn',
      text: 'SELECT turn FROM bench_turns WHERE router = $1 FOR UPDATE',
      values: [router],
    });
    const email = members.rows[turn.rows[0].turn % members.rows.length].email;
    await client.query({
      name: 'move',
      text: 'UPDATE bench_turns SET turn = turn + 1 WHERE router = $1',
      values: [router],
    });
    await client.query({
      name: 'own',
      text: 'UPDATE bench_records SET owner = $2 WHERE id = $1',
      values: [object, email],
    });
    await client.query({
      name: 'log',
      text: 'INSERT INTO bench_log (router, object, email) VALUES ($1, $2, $3)',
      values: [router, object, email],
    });
    await client.query('COMMIT');
    return email;
  } finally {
    client.release();
  }
}

async function one(router, object) {
  const { rows } = await pool.query({
    name: 'one',
    text: `WITH moved AS (UPDATE bench_turns SET turn = turn + 1 WHERE router = $1 RETURNING turn),
        chosen AS (SELECT email FROM bench_members, moved ORDER BY (bench_members.id + moved.turn) % 10, bench_members.id LIMIT 1),
        owned AS (UPDATE bench_records SET owner = (SELECT email FROM chosen) WHERE id = $2)
      INSERT INTO bench_log (router, object, email) SELECT $1, $2, email FROM chosen RETURNING email`,
    values: [router, object],
  });
  return rows[0].email;
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { object, router } = JSON.parse(Buffer.concat(chunks).toString());
    const assign = pathname === '/naive' ? naive : one;
    assign(router, object).then(
      (user) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ user })),
      (error) => response.writeHead(500).end(error.message),
    );
  });
});
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ address: `http://127.0.0.1:${server.address().port}` })),
);
process.on('SIGTERM', () => server.close(() => pool.end().then(() => process.exit(0))));
