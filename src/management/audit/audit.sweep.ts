import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { deleteOldRows } from '../../accounts/index.js';
import { Database, RepeatedWork, unlessAway } from '../../database/index.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import { AuditRepository } from '../change/audit.repository.js';

const HOUR = 3_600_000;

/**
 * Deletes entries of the audit that are older than AUDIT_RETENTION_DAYS, at the start and once an hour.
 * Several processes may do so at once.
 */
@Injectable()
export class AuditSweep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(AuditSweep.name);
  private readonly sweeping = new RepeatedWork(
    HOUR,
    unlessAway(() => this.sweep(new Date())),
    (reason) => this.logger.error(`Old entries of the audit could not be deleted: ${reason}`),
  );

  constructor(
    private readonly database: Database,
    private readonly audit: AuditRepository,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'AUDIT_RETENTION_DAYS'>,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.AUDIT_RETENTION_DAYS !== undefined) this.sweeping.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.sweeping.stop();
  }

  /** Deletes the entries that are older than the retention at that instant. @returns how many */
  async sweep(now: Date): Promise<number> {
    const deleted = await deleteOldRows(this.database, this.sweeping, {
      table: 'audit_entries',
      days: this.settings.AUDIT_RETENTION_DAYS,
      now,
      deleteOldest: (tx, rows) => this.audit.deleteOldest(tx, rows),
    });
    if (deleted > 0) this.logger.log(`Deleted ${deleted} old entries of the audit`);
    return deleted;
  }
}
