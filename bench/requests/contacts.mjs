// The contacts of a baseline, over a pool of its own.
import pg from 'pg';
import { STATEMENTS } from './statements.mjs';

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
