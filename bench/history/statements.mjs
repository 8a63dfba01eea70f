// CPU time of PostgreSQL and bytes of WAL of the statements that write records, without history and with it.
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { table } from '../support/table.mjs';
import { cpuOf } from '../support/usage.mjs';

const { INSERT_RECORD, UPDATE_PLAIN_FIELDS, ARCHIVE_RECORD, RESTORE_RECORD } = createRequire(import.meta.url)(
  '../../dist/src/records/records.statements.js',
);

/** The kernel counts CPU time in 10 ms, so a measurement takes many statements. */
const RECORDS = 2_000;
const ROUNDS = 5;

export const CONTACT = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  phone: '+44 20 7946 0000',
  job_title: 'Countess',
  company_name: 'Analytical Engines',
  country: 'United Kingdom',
  city: 'London',
};

/** @param db a connection @returns a table: µs and bytes of each statement, the least of some rounds */
export async function costOfStatements(db) {
  const { rows } = await db.query(
    'SELECT id, config_version AS version, pg_backend_pid() AS pid FROM accounts',
  );
  const [{ id: account, version, pid }] = rows;
  await db.query('SET synchronous_commit = off');
  const run = (statement, values) => db.query({ ...statement, values });
  let number = 0;
  const author = (on, fields = '') =>
    on ? `client ${account} ${randomUUID()} ${(number++).toString(36)}${fields}` : 'off';
  const patch = (id, on) =>
    run(UPDATE_PLAIN_FIELDS.id, [
      ...[account, version, 'contacts', id, JSON.stringify({ city: `City ${number++}` })],
      ...[65_536, [], null, author(on, ' city')],
    ]);
  const steps = {
    create: async (ids, on) => {
      const values = [account, version, 'contacts', JSON.stringify(CONTACT), [], 'email', 'contact_owner'];
      for (let n = 0; n < RECORDS; n++) {
        const { rows } = await run(INSERT_RECORD, [...values, randomUUID().slice(-17), author(on)]);
        ids.push(rows[0].id);
      }
    },
    'first PATCH': async (ids, on) => {
      for (const id of ids) await patch(id, on);
    },
    PATCH: async (ids, on) => {
      for (const id of ids) await patch(id, on);
    },
    archive: async (ids, on) => {
      for (const id of ids)
        await run(ARCHIVE_RECORD.id, [account, 'contacts', id, account, null, author(on)]);
    },
    restore: async (ids, on) => {
      for (const id of ids) await run(RESTORE_RECORD, [account, 'contacts', id, null, author(on)]);
    },
  };
  const costs = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const on of round % 2 === 0 ? [false, true] : [true, false]) {
      const ids = [];
      for (const [name, step] of Object.entries(steps)) {
        const before = await state(db, pid);
        await step(ids, on);
        const after = await state(db, pid);
        const cost = (costs[name] ??= { off: [], on: [] })[on ? 'on' : 'off'];
        cost.push({
          us: ((after.cpu - before.cpu) * 1_000) / RECORDS,
          wal: (after.wal - before.wal) / RECORDS,
        });
      }
    }
  }
  const least = (all, key) => Math.min(...all.map((each) => each[key]));
  const rowsOf = Object.entries(costs).map(([name, { off, on }]) => {
    const [us, usOn] = [off, on].map((all) => least(all, 'us'));
    const [wal, walOn] = [off, on].map((all) => least(all, 'wal'));
    return [name, us.toFixed(0), usOn.toFixed(0), wal.toFixed(0), walOn.toFixed(0)];
  });
  return table(['least of each', 'off: µs', 'on: µs', 'off: WAL', 'on: WAL'], rowsOf);
}

async function state(db, pid) {
  const { rows } = await db.query(`SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS wal`);
  return { cpu: cpuOf(pid), wal: rows[0].wal };
}
