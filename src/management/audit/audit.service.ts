import { Inject, Injectable, Logger } from '@nestjs/common';
import { deleteOldRows, type AccountContext } from '../../accounts/index.js';
import { Background, Database } from '../../database/index.js';
import { cursorBehind, pageStart } from '../../paging/index.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import type { AuditEntryEntity } from '../change/audit-entry.entity.js';
import { AuditRepository, type AuditFilter } from '../change/audit.repository.js';

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

const HOUR = 3_600_000;

/**
 * Reads the audit of an account (contract section 6), and deletes entries that are older than
 * AUDIT_RETENTION_DAYS, at the start and once an hour. Several processes may do so at once.
 */
@Injectable()
export class AuditService {
  private readonly logger = new Logger(AuditService.name);

  constructor(
    private readonly database: Database,
    private readonly audit: AuditRepository,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'AUDIT_RETENTION_DAYS'>,
    private readonly background: Background,
  ) {
    if (settings.AUDIT_RETENTION_DAYS === undefined) return;
    const failure = 'Old entries of the audit could not be deleted';
    background.repeat({ name: 'audit_sweep', every: HOUR, failure, run: () => this.sweep(new Date()) });
  }

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

  /** Deletes the entries that are older than the retention at that instant. @returns how many */
  async sweep(now: Date): Promise<number> {
    const deleted = await deleteOldRows(this.database, this.background, {
      table: 'audit_entries',
      days: this.settings.AUDIT_RETENTION_DAYS,
      now,
      deleteOldest: (tx, rows) => this.audit.deleteOldest(tx, rows),
    });
    if (deleted > 0) this.logger.log(`Deleted ${deleted} old entries of the audit`);
    return deleted;
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
