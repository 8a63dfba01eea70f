import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { ConfigurationCache } from '../../configuration/index.js';
import { Database } from '../../database/index.js';
import { EMPTY_ROTATION_STATE } from '../../engine/index.js';
import { DomainError } from '../../errors/domain-error.js';
import { notFound } from '../../errors/errors.js';
import { FieldTypeRegistry } from '../../fields/index.js';
import type { VersionChoice } from '../../routers/index.js';
import type { Decided } from '../decision/decided.js';
import { Decider } from '../decision/decider.js';
import { DispatchRepository } from '../transaction/dispatch.repository.js';
import { alone, ReturnsReader } from '../transaction/returns-reader.js';
import { imaginedRecord } from './imagined-record.js';
import { VersionSnapshots } from './version-snapshots.js';

/** A record of a file: its fields, as in a create, and its line number. */
export interface ReplayedRecord {
  readonly line: number;
  readonly fields: unknown;
}

/** The input of a replay, and its progress callback. */
export interface ReplayRequest {
  /** Name of a router that is not archived. */
  readonly router: string;
  /** In the order in which they are routed. */
  readonly records: readonly ReplayedRecord[];
  /** The instant of every decision. Default: now. */
  readonly at?: Date;
  /** The live one unless given. */
  readonly version?: VersionChoice;
  readonly onProgress?: (done: number) => void;
}

/** Counts of records by result, the largest first. */
export interface ReplayResult {
  readonly router: string;
  readonly at: string;
  readonly total: number;
  readonly users: readonly { readonly user: string; readonly records: number; readonly share: number }[];
  /** By reason of the decision, whether somebody was assigned or not. */
  readonly reasons: readonly {
    readonly reason: string;
    readonly assigned: boolean;
    readonly records: number;
  }[];
}

/** Routes records that do not exist, one after the other, as a router would now. Writes nothing. */
@Injectable()
export class ReplayService {
  constructor(
    private readonly database: Database,
    private readonly dispatches: DispatchRepository,
    private readonly configurations: ConfigurationCache,
    private readonly snapshots: VersionSnapshots,
    private readonly decider: Decider,
    private readonly types: FieldTypeRegistry,
    private readonly returns: ReturnsReader,
  ) {}

  /**
   * Runs a replay.
   * @throws DomainError 404 for an unknown router or version, 400 that names the first line with failing
   *   fields
   */
  replay(account: AccountContext, request: ReplayRequest): Promise<ReplayResult> {
    return this.configurations.use(account, async (configuration) => {
      const router = [...configuration.routers.values()].find(({ name }) => name === request.router);
      if (router === undefined) throw notFound(`There is no router ${request.router}`);
      const asked = { routerId: router.id, version: request.version };
      const snapshot = await this.snapshots.get(account, configuration, asked);
      const keys = { routerIds: [router.id], objectIds: [], unread: [] };
      const db = this.database.for(account);
      const rows = await this.dispatches.readOnly(db, account, keys);
      if (rows === undefined) throw notFound('There is no such account');
      const at = request.at ?? rows.at;
      const records = request.records.map(({ line, fields }) =>
        onLine(line, () => imaginedRecord(snapshot, fields, { types: this.types, at })),
      );
      const rotation = rows.rotations.get(router.id) ?? EMPTY_ROTATION_STATE;
      const { turns } = await this.returns.read(db, alone(snapshot));
      const [decisions] = await this.decider.decideAll([{ snapshot, records, rotation, turns }], {
        db,
        at,
        until: at,
        imagined: true,
        ...(request.onProgress === undefined ? {} : { onProgress: request.onProgress }),
      });
      const decided = decisions?.decided ?? [];
      request.onProgress?.(decided.length);
      return summarise(snapshot.name, at, decided);
    });
  }
}

function onLine<T>(line: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const errors = (error.details.errors ?? [{ message: error.message }]).map((each) => ({ ...each, line }));
    throw new DomainError(error.code, `Line ${line}: ${error.message}`, { ...error.details, errors });
  }
}

function summarise(router: string, at: Date, decided: readonly Decided[]): ReplayResult {
  const users = new Map<string, number>();
  const reasons = new Map<string, { reason: string; assigned: boolean; records: number }>();
  for (const { decision } of decided) {
    const { reason, assigned } = decision;
    if (assigned) users.set(decision.user, (users.get(decision.user) ?? 0) + 1);
    const { records = 0 } = reasons.get(reason) ?? {};
    reasons.set(reason, { reason, assigned, records: records + 1 });
  }
  return {
    router,
    at: at.toISOString(),
    total: decided.length,
    users: [...users]
      .map(([user, records]) => ({ user, records, share: records / decided.length }))
      .sort((a, b) => b.records - a.records || (a.user < b.user ? -1 : 1)),
    reasons: [...reasons.values()].sort((a, b) => b.records - a.records),
  };
}
