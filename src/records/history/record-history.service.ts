import { Inject, Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { ConfigurationCache } from '../../configuration/index.js';
import { Database, isId } from '../../database/index.js';
import { StoredNames } from '../../directory/index.js';
import { Failures } from '../../errors/errors.js';
import { assignedDateOf, type FieldCatalog, type ObjectType } from '../../fields/index.js';
import { cursorOfText, textOfCursor } from '../../paging/index.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import { shownName } from '../../text/shown-name.js';
import { textProblem } from '../../text/text-problem.js';
import type { RecordKey } from '../record-key.js';
import { recordNotFound } from '../record.errors.js';
import { RecordHistoryRepository, type ChangePlace, type ChangeView } from './record-history.repository.js';
import { retentionStart } from './history.pruner.js';

/** Which part of a history a request asks for. */
interface HistoryQuery {
  /** Changes of this field only. */
  readonly field: string | undefined;
  readonly limit: number;
  /** The change behind which the page starts. */
  readonly after: ChangePlace | undefined;
  /** What is wrong with the request already. */
  readonly failures?: Failures;
}

/** A page of a history. Its changes are not counted. */
export interface HistoryPage {
  readonly data: readonly ChangeView[];
  readonly pagination: { readonly limit: number; readonly next: string | null };
}

/** The name under which archiving and restoring are kept. */
const ARCHIVED = 'archived';

/** Reads the history of records (contract section 7). */
@Injectable()
export class RecordHistoryService {
  constructor(
    private readonly database: Database,
    private readonly history: RecordHistoryRepository,
    private readonly configurations: ConfigurationCache,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'HISTORY' | 'HISTORY_RETENTION_DAYS'>,
  ) {}

  /**
   * One page of the changes of a record, newest first, of fields that are not archived. It has fewer than
   * `limit` where its answer would exceed 10 MiB. @throws DomainError 404, and 400 for all that is wrong
   */
  list(
    client: ClientContext,
    { objectType, id }: RecordKey,
    { field, limit, after: behind, failures: found }: HistoryQuery,
  ): Promise<HistoryPage> {
    return this.configurations.use(client, async ({ catalog }) => {
      const failures = new Failures();
      if (found !== undefined) failures.take(found);
      const shown = shownFields(catalog, objectType);
      if (field !== undefined && !shown.includes(field)) {
        failures.add(() => ({ field: 'field', message: `Unknown field: ${shownName(field)}` }));
      }
      failures.throwIfAny();
      const since = retentionStart(this.settings, Date.now());
      const fields = field === undefined ? shown : [field];
      const range = { fields, limit, behind, since };
      const db = this.database.for(client);
      const page = isId(id) ? await this.history.list(db, client, { objectType, id, ...range }) : undefined;
      if (page === undefined) throw recordNotFound(objectType);
      const { changes, end, renamed } = page;
      const names = StoredNames.from(renamed);
      const userFields = catalog.userFieldNames(objectType);
      const emailOf = (value: ChangeView['from']): ChangeView['from'] =>
        typeof value === 'string' ? names.emailOf(value) : value;
      const data = changes.map((change) => {
        const { field: changed, from, to } = change;
        return userFields.includes(changed) ? { ...change, from: emailOf(from), to: emailOf(to) } : change;
      });
      return { data, pagination: { limit, next: end === undefined ? null : cursorBehindChange(end) } };
    });
  }
}

/** The names of what has a history: fields, assigned dates, and archiving. Archived fields are hidden. */
function shownFields(catalog: FieldCatalog, objectType: ObjectType): readonly string[] {
  const names = catalog.all(objectType).map(({ internalName }) => internalName);
  return [ARCHIVED, ...names, ...catalog.userFieldNames(objectType).map(assignedDateOf)];
}

/** The most characters of a cursor. */
export const MOST_CURSOR = 1_000;

const FORM = /^(\d{1,16}) (.+)$/s;

/** Returns the opaque text that stands for the place behind a change. */
export function cursorBehindChange({ us, field }: ChangePlace): string {
  return cursorOfText(`${us} ${field}`);
}

/** Returns the change that a cursor stands behind; undefined for a text that is no cursor. */
export function changeOfCursor(cursor: string): ChangePlace | undefined {
  const text = textOfCursor(cursor, MOST_CURSOR);
  if (text === undefined || textProblem(text) !== undefined) return undefined;
  const [, us, field] = FORM.exec(text) ?? [];
  return us === undefined || field === undefined ? undefined : { us, field };
}
