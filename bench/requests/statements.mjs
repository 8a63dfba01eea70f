// What the baselines ask of the service's own table. They have no accounts, fields, checks or counts of their
// own, and show the same keys as the service does.

const SHOWN = ['first_name', 'last_name', 'email', 'contact_owner', 'external_id'];
const VIEW = `id, ${SHOWN.map((name) => `fields ->> '${name}' AS ${name}`).join(', ')}, created_at, updated_at,
  archived_at`;
const OF_ACCOUNT = `account_id = $1 AND object_type = 'contacts'`;

export const STATEMENTS = {
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
