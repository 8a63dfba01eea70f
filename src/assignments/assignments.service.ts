import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import { Database, isId } from '../database/index.js';
import { DirectoryRepository } from '../directory/index.js';
import { notFound } from '../errors/errors.js';
import { cursorBehind, cursorPage, pageStart, type Page, type PageRange } from '../paging/index.js';
import { AssignmentsRepository, type AssignmentRow } from './assignments.repository.js';
import type { AssignmentFilter, EntryKind, LogSelection } from './log-query.js';
import type { SummaryBy } from './log-statements.js';
import { normalizeEmail } from '../text/email-key.js';

/** An assignment as clients see it (contract section 6). `user`: also the owner who was chosen again. */
export type AssignmentView = Omit<AssignmentRow, 'created_at'> & { readonly created_at: string };

/** The columns of the row are those of the view. One that left the record with its owner has no user. */
export function assignmentView<Row extends AssignmentRow>(
  row: Row,
): Omit<Row, 'created_at'> & AssignmentView {
  const user = row.user ?? (row.reason === 'already_owner' ? row.previous_user : null);
  return { ...row, user, created_at: row.created_at.toISOString() };
}

/** What entries of the assignment log are wanted. */
export interface AssignmentFilters extends EntryKind {
  readonly router_id: string | undefined;
  readonly object_id: string | undefined;
  /** The e-mail that the user has now, in any case. One that is nobody's finds nothing. */
  readonly user: string | undefined;
  readonly from?: Date | undefined;
  /** They are before it. */
  readonly to?: Date | undefined;
}

/** Selects a page of the assignment log. */
export interface AssignmentQuery extends PageRange, AssignmentFilters {
  /** The `next` of another page. */
  readonly after: string | undefined;
}

/** The numbers of entries. */
interface EntryCounts {
  readonly assigned: number;
  readonly refused: number;
}

/** The log in numbers (contract section 6). */
export interface AssignmentCounts {
  readonly by: SummaryBy;
  readonly data: readonly (EntryCounts & { readonly value: string | null })[];
  /** Whether there are other lines. */
  readonly more?: true;
  readonly total: EntryCounts;
}

/** Most lines of a summary. */
export const MOST_LINES = 1_000;

/** The assignments of an account, with the reason of each decision (contract section 6). */
@Injectable()
export class AssignmentsService {
  constructor(
    private readonly database: Database,
    private readonly assignments: AssignmentsRepository,
    private readonly directory: DirectoryRepository,
  ) {}

  /** One page, newest first. @throws DomainError 400 for a bad `after`, or one together with an offset */
  async list(account: AccountContext, query: AssignmentQuery): Promise<Page<AssignmentView>> {
    const behind = pageStart(query.after, query.offset);
    const selection = await this.selection(account, query);
    if (selection === undefined) return cursorPage([], query, { count: 0, next: null });
    const page = { limit: query.limit, offset: query.offset, behind, ...selection };
    const { rows, count, more } = await this.assignments.list(this.database.for(account), account, page);
    const last = rows.at(-1);
    const next = more && last !== undefined ? cursorBehind(last.id) : null;
    return cursorPage(rows.map(assignmentView), query, { count, next });
  }

  /** Counts the entries by what they have in common; the entries themselves are not read. */
  async summarize(
    account: AccountContext,
    { by, ...filters }: AssignmentFilters & { readonly by: SummaryBy },
  ): Promise<AssignmentCounts> {
    const selection = await this.selection(account, filters);
    const db = this.database.for(account);
    const asked = selection && { by, most: MOST_LINES + 1, ...selection };
    const rows = asked === undefined ? [] : await this.assignments.summarize(db, account, asked);
    const data = rows
      .slice(0, MOST_LINES)
      .map(({ value, assigned, refused }) => ({ value, assigned, refused }));
    const total = { assigned: rows[0]?.allAssigned ?? 0, refused: rows[0]?.allRefused ?? 0 };
    return { by, data, ...(rows.length > MOST_LINES && { more: true }), total };
  }

  /** Returns one assignment with its trace. @throws 404 */
  async get(account: AccountContext, id: string): Promise<AssignmentView & { trace: unknown }> {
    const row = isId(id) ? await this.assignments.find(this.database.for(account), account, id) : undefined;
    if (row === undefined) throw notFound('Assignment not found');
    return assignmentView(row);
  }

  /** Returns what is selected; undefined where a filter is what nothing has. */
  private async selection(
    account: AccountContext,
    { router_id, object_id, user, from, to, reason, assigned, rule, step }: AssignmentFilters,
  ): Promise<LogSelection | undefined> {
    const filters = new Map<AssignmentFilter, string>();
    if (router_id !== undefined) filters.set('router', router_id);
    if (object_id !== undefined) filters.set('object', object_id);
    if (user !== undefined) filters.set('user', (await this.userId(account, user)) ?? '');
    if (![...filters.values()].every(isId)) return undefined;
    const isByKind = [reason, assigned, rule, step].some((value) => value !== undefined);
    const range = from === undefined && to === undefined ? undefined : { from, to };
    return { filters, range, kind: isByKind ? { reason, assigned, rule, step } : undefined };
  }

  /** The id of the user who has an e-mail, archived or not. */
  private userId(account: AccountContext, email: string): Promise<string | undefined> {
    return this.database.for(account).read(async (db) => {
      const [user] = await this.directory.findUsers(db, account, [normalizeEmail(email)]);
      return user?.id;
    });
  }
}
