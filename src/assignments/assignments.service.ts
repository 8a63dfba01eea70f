import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import { Database, isId, type Transaction } from '../database/index.js';
import { DirectoryRepository } from '../directory/index.js';
import { notFound } from '../errors/errors.js';
import { cursorBehind, cursorPage, pageStart, type Page, type PageRange } from '../paging/index.js';
import { assignmentView, type AssignmentView } from './assignment-view.js';
import { AssignmentsRepository, type AssignmentFilter } from './assignments.repository.js';
import { normalizeEmail } from '../text/email-key.js';
import { traceInOrder } from './trace-in-order.js';

/** Selects a part of the assignment log. */
export interface AssignmentQuery extends PageRange {
  readonly router_id: string | undefined;
  readonly object_id: string | undefined;
  /** The e-mail that the user has now, in any case. One that is nobody's any more finds nothing. */
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
    const { router_id, object_id, user, after } = query;
    const behind = pageStart(after, query.offset);
    const isUnknown = [router_id, object_id].some((id) => id !== undefined && !isId(id));
    if (isUnknown) return cursorPage([], query, { count: 0, next: null });
    const filters = new Map<AssignmentFilter, string>();
    if (router_id !== undefined) filters.set('router', router_id);
    if (object_id !== undefined) filters.set('object', object_id);
    const list = async (tx: Transaction): Promise<Awaited<ReturnType<AssignmentsRepository['list']>>> => {
      if (user !== undefined) {
        const stored = await this.directory.storedName(tx, account, normalizeEmail(user));
        if (stored === undefined) return { rows: [], count: 0, more: false };
        filters.set('user', stored);
      }
      return this.assignments.list(tx, account, { filters, behind, ...query });
    };
    const found = await this.database.for(account).transaction(list, { readOnly: true, eager: true });
    const last = found.rows.at(-1);
    const next = found.more && last !== undefined ? cursorBehind(last.id) : null;
    return cursorPage(found.rows.map(assignmentView), query, { count: found.count, next });
  }

  /** Returns one assignment with its trace. @throws 404 */
  async get(account: AccountContext, id: string): Promise<AssignmentView & { trace: unknown }> {
    const row = isId(id) ? await this.assignments.find(this.database.for(account), account, id) : undefined;
    if (row === undefined) throw notFound('Assignment not found');
    return { ...assignmentView(row), trace: traceInOrder(row.trace) };
  }
}
