import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Queryable } from '../../database/index.js';
import { OBJECT_TYPE_RULES } from '../../fields/index.js';
import type { KeyColumn } from '../record-key.js';
import type { RecordView } from '../record-view.js';
import type { RecordKey } from '../records.repository.js';
import { shownView, type Renamed } from '../renamed-views.js';
import { FIND_TARGETS, READ_TARGETS } from './targets.statements.js';

/** An active record that is looked for. */
export interface SoughtTarget extends Pick<RecordKey, 'objectType'> {
  readonly how: 'id' | KeyColumn;
  /** The id, or the value of the key as it is stored. */
  readonly value: string;
}

interface ViewRow {
  readonly view: string | null;
  readonly renamed: Renamed;
}

/** Finds and reads the records that references name, with one statement each for any number of them. */
@Injectable()
export class TargetsRepository {
  /** Finds active records. @returns the id of each, or undefined */
  async find(
    db: Queryable,
    { accountId }: AccountContext,
    sought: readonly SoughtTarget[],
  ): Promise<(string | undefined)[]> {
    const columns = (['objectType', 'how', 'value'] as const).map((key) => sought.map((each) => each[key]));
    const rows = await db.query<{ n: number; id: string }>(FIND_TARGETS, [accountId, ...columns]);
    const ids = new Map(rows.map(({ n, id }) => [n, id]));
    return sought.map((_, index) => ids.get(index + 1));
  }

  /**
   * Reads the views of records, active or archived, with their default fields.
   * @param wanted `bytes`: the most that is read, but for the last view
   * @returns those of the first records, null for one that there is not
   */
  async read(
    db: Queryable,
    { accountId }: AccountContext,
    { keys, bytes }: { readonly keys: readonly RecordKey[]; readonly bytes: number },
  ): Promise<(RecordView | null)[]> {
    const types = keys.map(({ objectType }) => objectType);
    const ids = keys.map(({ id }) => id);
    const rows = await db.query<ViewRow>(READ_TARGETS, [accountId, types, ids, bytes]);
    return rows.map(({ view, renamed }, index) => {
      const [objectType] = types.slice(index, index + 1);
      if (view === null || objectType === undefined) return null;
      return shownView(JSON.parse(view) as RecordView, renamed, [OBJECT_TYPE_RULES[objectType].ownerField]);
    });
  }
}
