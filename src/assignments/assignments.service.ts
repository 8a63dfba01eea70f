import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import { Database, isId } from '../database/index.js';
import { DirectoryRepository } from '../directory/index.js';
import { notFound } from '../errors/errors.js';
import { cursorBehind, cursorPage, pageStart, type Page, type PageRange } from '../paging/index.js';
import {
  AssignmentsRepository,
  type AssignmentFilter,
  type AssignmentRow,
} from './assignments.repository.js';
import { normalizeEmail } from '../text/email-key.js';

/** An assignment as clients see it (contract section 6). `user`: also the owner who was chosen again. */
export type AssignmentView = Omit<AssignmentRow, 'created_at'> & { readonly created_at: string };

/**
 * The columns of the row are those of the view, in its order. One that left the record with its owner is
 * stored without a user.
 */
export function assignmentView<Row extends AssignmentRow>(
  row: Row,
): Omit<Row, 'created_at'> & AssignmentView {
  const user = row.user ?? (row.reason === 'already_owner' ? row.previous_user : null);
  return { ...row, user, created_at: row.created_at.toISOString() };
}

/** Selects a part of the assignment log. */
export interface AssignmentQuery extends PageRange {
  readonly router_id: string | undefined;
  readonly object_id: string | undefined;
  /** The e-mail that the user has now, in any case. One that is nobody's finds nothing. */
  readonly user: string | undefined;
  /** The `next` of another page. */
  readonly after: string | undefined;
}

/** The assignments of an account, with the reason of each decision (contract section 6). */
@Injectable()
export class AssignmentsService {
  constructor(
    private readonly database: Database,
    private readonly assignments: AssignmentsRepository,
    private readonly directory: DirectoryRepository,
  ) {}

  /**
   * Returns one page, newest first. A malformed id matches nothing.
   * @throws DomainError 400 for a bad `after`, or one together with an offset
   */
  async list(account: AccountContext, query: AssignmentQuery): Promise<Page<AssignmentView>> {
    const { router_id: router, object_id: object, user, after } = query;
    const behind = pageStart(after, query.offset);
    const filters = new Map<AssignmentFilter, string>();
    if (router !== undefined) filters.set('router', router);
    if (object !== undefined) filters.set('object', object);
    if (user !== undefined) filters.set('user', (await this.userId(account, user)) ?? '');
    if (![...filters.values()].every(isId)) return cursorPage([], query, { count: 0, next: null });
    const page = { ...query, filters, behind };
    const { rows, count, more } = await this.assignments.list(this.database.for(account), account, page);
    const last = rows.at(-1);
    const next = more && last !== undefined ? cursorBehind(last.id) : null;
    return cursorPage(rows.map(assignmentView), query, { count, next });
  }

  /** Returns one assignment with its trace. @throws 404 */
  async get(account: AccountContext, id: string): Promise<AssignmentView & { trace: unknown }> {
    const row = isId(id) ? await this.assignments.find(this.database.for(account), account, id) : undefined;
    if (row === undefined) throw notFound('Assignment not found');
    return assignmentView(row);
  }

  /** The id of the user who has an e-mail, archived or not. */
  private userId(account: AccountContext, email: string): Promise<string | undefined> {
    return this.database.for(account).read(async (db) => {
      const [user] = await this.directory.findUsers(db, account, [normalizeEmail(email)]);
      return user?.id;
    });
  }
}
