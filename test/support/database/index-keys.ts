import { sql } from './stored-records.js';
import type { TestService } from '../test-service.js';
import { waitFor } from '../wait-for.js';

const KEY = 'record_key(i.kind, r.fields ->> i.field, COALESCE(r.archived_at, r.updated_at))';

/** Returns the keys that ready indexes lack, and those that are of no present value. */
export async function wrongKeys(service: TestService): Promise<{ missing: number; stale: number }> {
  const [row] = await sql<{ missing: number; stale: number }>(
    service,
    `SELECT
      (SELECT count(*)::int FROM record_indexes i JOIN records r USING (account_id, object_type)
        LEFT JOIN record_index_keys k
          ON k.account_id = i.account_id AND k.index_id = i.id AND k.key = ${KEY} AND k.record_id = r.id
        WHERE i.is_ready AND i.dropped_at IS NULL AND (r.archived_at IS NULL OR i.kind = 'changed') AND k.record_id IS NULL) AS missing,
      (SELECT count(*)::int FROM record_index_keys k
        LEFT JOIN record_indexes i ON i.account_id = k.account_id AND i.id = k.index_id
        LEFT JOIN records r ON r.account_id = i.account_id AND r.object_type = i.object_type AND r.id = k.record_id
        WHERE i.id IS NULL OR r.id IS NULL OR (r.archived_at IS NOT NULL AND i.kind <> 'changed') OR k.key <> ${KEY}) AS stale`,
  );
  return row!;
}

/** Waits until all indexes of fields are built and cleared. @returns how many there are */
export async function indexesDone(service: TestService, ms?: number): Promise<number> {
  const rows = await waitFor(
    'the indexes of fields to be done',
    async () => {
      const found = await sql<{ open: boolean }>(
        service,
        'SELECT NOT is_ready OR dropped_at IS NOT NULL AS open FROM record_indexes',
      );
      return found.some(({ open }) => open) ? undefined : found;
    },
    ms,
  );
  return rows.length;
}
