// The contacts of a baseline, over a pool of its own. It asks the service's own table, has no accounts, fields, checks or
// counts, and shows the same keys as the service does.
import pg from 'pg';

const SHOWN = ['first_name', 'last_name', 'email', 'contact_owner', 'external_id'];
const VIEW = `id, ${SHOWN.map((name) => `fields ->> '${name}' AS ${name}`).join(', ')}, created_at, updated_at,
  archived_at`;
const OF_ACCOUNT = `account_id = $1 AND object_type = 'contacts'`;

const STATEMENTS = {
  find: { name: 'find', text: `SELECT ${VIEW} FROM records WHERE ${OF_ACCOUNT} AND id = $2` },
  list: {
    name: 'list',
    text: `SELECT ${VIEW} FROM records WHERE ${OF_ACCOUNT} AND archived_at IS NULL ORDER BY id LIMIT 100`,
  },
  create: {
    name: 'create',
    text: `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
      SELECT $1, 'contacts', uuid_v7(now()), $2::jsonb, now(), now()
      RETURNING ${VIEW}`,
  },
  update: {
    name: 'update',
    text: `UPDATE records SET fields = fields || $3::jsonb, updated_at = now() WHERE ${OF_ACCOUNT} AND id = $2
      RETURNING ${VIEW}`,
  },
};

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE),
});

const run = async (statement, ...values) => (await pool.query({ ...statement, values })).rows;

export const find = async (account, id) => (await run(STATEMENTS.find, account, id))[0];
export const list = async (account) => ({ data: await run(STATEMENTS.list, account) });
export const create = async (account, { fields }) =>
  (await run(STATEMENTS.create, account, JSON.stringify(fields)))[0];
export const update = async (account, id, { fields }) =>
  (await run(STATEMENTS.update, account, id, JSON.stringify(fields)))[0];

/** Tells the benchmark where a server listens, and ends it when the benchmark asks for that. */
export function announce(server) {
  console.log(JSON.stringify({ address: `http://127.0.0.1:${server.address().port}` }));
  process.on('SIGINT', () => process.exit(0));
}
