// Corruptions that the checker must see. Each is planted in a copy of a sound database.

/** A record that was assigned by turns, and its entries. */
const ASSIGNED = `(SELECT object_id FROM assignments WHERE reason = 'round_robin' ORDER BY id LIMIT 1)`;
const FIRST_ENTRY = `(SELECT id FROM assignments WHERE reason = 'round_robin' ORDER BY id LIMIT 1)`;
const LAST_ENTRY = `(SELECT id FROM assignments WHERE reason = 'round_robin' ORDER BY id DESC LIMIT 1)`;
const OTHER_USER = `(SELECT id FROM users WHERE id <> user_id ORDER BY email LIMIT 1)`;
const OTHER_OWNER = `(SELECT email FROM users WHERE email <> owner ORDER BY email LIMIT 1)`;

const copyOf = (changes) => `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
  SELECT account_id, object_type, gen_random_uuid(), fields - 'email' || ${changes}, created_at, updated_at
  FROM records WHERE id = '$created'`;

const COPIED_ENTRY = `INSERT INTO assignments
  SELECT (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid()))).* FROM assignments a
  WHERE id = ${LAST_ENTRY}`;

const SETS_STATE = (path, value) =>
  `UPDATE rotations SET state = jsonb_set(state, ${path}, ${value}) WHERE router_id = '$turns'`;

/** Gives the first turns of a router to the same users in the same number, sorted by user. */
const SORTED_TURNS = `WITH first AS (SELECT id, user_id, row_number() OVER (ORDER BY id) AS n
    FROM assignments WHERE reason = 'round_robin' ORDER BY id LIMIT 15),
  sorted AS (SELECT user_id, row_number() OVER (ORDER BY user_id) AS n FROM first)
  UPDATE assignments a SET user_id = sorted.user_id FROM first JOIN sorted USING (n) WHERE a.id = first.id`;

/**
 * `{ name, check, sql }`: the check that must see it, beside others perhaps. In the SQL, `$created` is an
 * acknowledged record that nobody has changed, `$deleted` one whose deletion was acknowledged, `$patched` one
 * whose change was, and `$refused` and `$unknown` the names of creations with that outcome. `$turns` is a
 * router.
 */
export const CORRUPTIONS = [
  { name: 'a lost record', check: 'lost', sql: `DELETE FROM records WHERE id = '$created'` },
  { name: 'a record stored twice', check: 'doubled', sql: copyOf(`'{}'`) },
  {
    name: 'a refused record',
    check: 'refused',
    sql: copyOf(`'{"first_name": "$refused", "last_name": "$refused"}'`),
  },
  {
    name: 'half of an unknown record',
    check: 'half',
    sql: copyOf(`'{"first_name": "$unknown"}'`),
  },
  {
    name: 'an unknown record stored twice',
    check: 'doubled',
    sql: [1, 2].map(() => copyOf(`'{"first_name": "$unknown", "last_name": "$unknown"}'`)).join(';'),
  },
  {
    name: 'a record of nobody',
    check: 'unexplained',
    sql: copyOf(`'{"first_name": "nobody", "last_name": "nobody"}'`),
  },
  {
    name: 'an old name over an acknowledged one',
    check: 'value',
    sql: `UPDATE records SET fields = fields || '{"first_name": "old", "last_name": "old"}' WHERE id = '$patched'`,
  },
  {
    name: 'half of a change',
    check: 'half',
    sql: `UPDATE records SET fields = fields || '{"last_name": "old"}' WHERE id = '$patched'`,
  },
  {
    name: 'an undone deletion',
    check: 'undeleted',
    sql: `UPDATE records SET archived_at = NULL WHERE id = '$deleted'`,
  },
  {
    name: 'a deletion that nobody asked for',
    check: 'archived',
    sql: `UPDATE records SET archived_at = now() WHERE id = '$created'`,
  },
  { name: 'a lost log entry', check: 'log-lost', sql: `DELETE FROM assignments WHERE id = ${FIRST_ENTRY}` },
  { name: 'a log entry stored twice', check: 'log-doubled', sql: COPIED_ENTRY },
  {
    name: 'a wrong user in the log',
    check: 'log-value',
    sql: `UPDATE assignments SET user_id = ${OTHER_USER} WHERE id = ${FIRST_ENTRY}`,
  },
  {
    name: 'a broken chain of owners',
    check: 'chain',
    sql: `UPDATE assignments SET previous_user_id = gen_random_uuid() WHERE id = ${LAST_ENTRY}`,
  },
  {
    name: 'a wrong owner',
    check: 'owner',
    sql: `UPDATE records SET fields = fields || jsonb_build_object('contact_owner', ${OTHER_OWNER}) WHERE id = ${ASSIGNED}`,
  },
  {
    name: 'a wrong assigned date',
    check: 'assigned-date',
    sql: `UPDATE records SET fields = fields || '{"contact_owner_assigned_date": "2026-01-01T00:00:00.000Z"}'
      WHERE id = ${ASSIGNED}`,
  },
  {
    name: 'a rotation behind by one turn',
    check: 'rotation',
    sql: SETS_STATE(`'{seq}'`, `to_jsonb((state ->> 'seq')::int - 1)`),
  },
  {
    name: 'a credit off by the smallest unit',
    check: 'credit',
    sql: SETS_STATE(`ARRAY['rotations', 'users', (SELECT id::text FROM users LIMIT 1)]`, `'["1", 1]'`),
  },
  { name: 'one user several turns in a row', check: 'bound', sql: SORTED_TURNS },
  {
    name: 'a log entry older than the one before it',
    check: 'order',
    sql: `UPDATE assignments SET created_at = created_at - interval '1 hour' WHERE id = ${LAST_ENTRY}`,
  },
];
