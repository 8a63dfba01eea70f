import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { Database } from '../../database/index.js';
import { cursorBehind, pageStart } from '../../paging/index.js';
import { AuditRepository, type AuditFilter } from '../change/audit.repository.js';
import type { AuditEntryEntity } from '../change/audit-entry.entity.js';

/** Selects a part of the audit. */
export interface AuditQuery extends AuditFilter {
  readonly limit: number;
  /** The `next` of the page before. */
  readonly after: string | undefined;
}

/** A page of the audit. Its rows are not counted. */
export interface AuditPage {
  readonly data: readonly ReturnType<typeof auditView>[];
  readonly pagination: { readonly limit: number; readonly next: string | null };
}

/** Reads the audit of an account (contract section 6). */
@Injectable()
export class AuditService {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Returns one page, newest first. It has fewer entries than `limit` where its answer would exceed 10 MiB.
   * @throws DomainError 400 for a bad `after`
   */
  async list(account: AccountContext, { limit, after, ...filter }: AuditQuery): Promise<AuditPage> {
    const range = { limit, behind: pageStart(after, 0) };
    const found = await this.database
      .for(account)
      .read((db) => this.audit.list(db, account, { ...filter, ...range }));
    const last = found.rows.at(-1);
    const next = found.more && last !== undefined ? cursorBehind(last.id) : null;
    return { data: found.rows.map(auditView), pagination: { limit, next } };
  }
}

/** Returns an entry as clients see it (contract section 6). */
function auditView(entry: AuditEntryEntity) {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    by: { kind: entry.byKind, id: entry.byId, name: entry.byName },
    action: entry.action,
    object: { kind: entry.objectKind, id: entry.objectId, name: entry.objectName },
    // The column does not keep the order of keys.
    changes: entry.changes.map(({ path, from, to }) => ({ path, from, to })),
    request_id: entry.requestId,
  };
}
