import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { ConfigurationCache } from '../../configuration/index.js';
import { Database, type Queryable } from '../../database/index.js';
import type { ObjectType } from '../../fields/index.js';
import { PAGE_BYTES, PAGE_ROWS } from '../../paging/index.js';
import { RecordValidator, type RecordSelection } from '../record-validator.js';
import { foundViews } from '../record-pages.js';
import type { RecordView, ShownViews } from '../record-view.js';
import { namedBy } from '../record-key.js';
import { RecordsRepository } from '../records.repository.js';
import { RecordsService } from '../records.service.js';
import { answerTooLarge } from './answer-size.js';

/** Records to read by their names. */
export interface BatchRead {
  readonly objectType: ObjectType;
  /** The key by which they are named; undefined for ids. */
  readonly property: string | undefined;
  /** Ids, or values of the key in any form that the field takes. */
  readonly names: readonly string[];
  readonly selection: RecordSelection;
}

/** Reads many records by their ids or keys, in one snapshot. */
@Injectable()
export class BatchReader {
  constructor(
    private readonly database: Database,
    private readonly configurations: ConfigurationCache,
    private readonly validator: RecordValidator,
    private readonly repository: RecordsRepository,
    private readonly records: RecordsService,
  ) {}

  /**
   * Reads records: by their ids active and archived ones, by a key active ones.
   * @returns the view of each, in the order given; undefined where there is no record
   * @throws DomainError 400 for failing properties, 413 where the views would have more than 10 MiB
   */
  async read(client: ClientContext, read: BatchRead): Promise<(RecordView | undefined)[]> {
    const { objectType, property, selection } = read;
    const shown = await this.records.shown(client, objectType, selection);
    const names = await this.configurations.use(client, (configuration) => {
      const nameOf = (id: string): string | undefined =>
        this.validator.name(configuration, { objectType, property, id })?.name;
      return Promise.resolve(read.names.map(nameOf));
    });
    const sought = [...new Set(names)].filter((name) => name !== undefined);
    const named = { objectType, by: namedBy(property), names: sought };
    const work = async (tx: Queryable): Promise<(RecordView | undefined)[]> => {
      const found = property === undefined ? sought : await this.repository.findIds(tx, client, named);
      const ids = new Map(sought.map((name, index) => [name, found[index]]));
      const known = found.filter((id) => id !== undefined);
      const views = await readViews(tx, client, { ...shown, ids: known });
      return names.map((name) => views.get(ids.get(name ?? '') ?? ''));
    };
    return this.database.for(client).transaction(work, { isolation: 'REPEATABLE READ', readOnly: true });
  }
}

/** Reads views by id, some at a time, until they are more than an answer may have. @throws DomainError 413 */
async function readViews(
  db: Queryable,
  client: ClientContext,
  query: ShownViews & { readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, RecordView>> {
  const views = new Map<string, RecordView>();
  let bytes = 0;
  for (let start = 0; start < query.ids.length; start += PAGE_ROWS) {
    const ids = query.ids.slice(start, start + PAGE_ROWS);
    const { found, isCut } = await foundViews(db, client, { ...query, ids });
    for (const { view } of found) bytes += Buffer.byteLength(view);
    if (isCut || bytes > PAGE_BYTES) throw answerTooLarge();
    for (const { id, view } of found) views.set(id, JSON.parse(view) as RecordView);
  }
  return views;
}
