import { Client } from 'pg';
import { errorCode } from '../../src/database/error-code.js';
import { FIND_WRONG_BLOCKS, FIND_WRONG_OWNED } from '../../src/records/counts/record-counts.statements.js';

const NO_DATABASE = '3D000';

/**
 * Compares the counts of records with the records.
 * @returns what differs; nothing where a test has dropped the database
 */
export async function wrongCounts(url: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
  } catch (error) {
    if (errorCode(error) === NO_DATABASE) return [];
    throw error;
  }
  try {
    const { rows: types } = await client.query<{ account_id: string; object_type: string }>(
      `SELECT account_id, object_type FROM records UNION SELECT account_id, object_type FROM owned_counts
        UNION SELECT account_id, object_type FROM owned_count_changes
        UNION SELECT account_id, object_type FROM record_blocks`,
    );
    const wrong: unknown[] = [];
    for (const { account_id, object_type } of types) {
      for (const { text } of [FIND_WRONG_OWNED, FIND_WRONG_BLOCKS]) {
        const { rows } = await client.query<object>(text, [account_id, object_type]);
        wrong.push(...rows.map((row) => ({ account_id, object_type, ...row })));
      }
    }
    return wrong;
  } finally {
    await client.end();
  }
}
