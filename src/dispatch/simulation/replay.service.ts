import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { ConfigurationCache, OUTDATED, type AccountConfiguration } from '../../configuration/index.js';
import { DomainError, type FieldError } from '../../errors/domain-error.js';
import { invalid, MAX_ERRORS, notFound } from '../../errors/errors.js';
import type { StoredRecord } from '../../records/index.js';
import type { VersionChoice } from '../../routers/index.js';
import type { RouterSnapshot } from '../snapshot/router-snapshots.js';
import { nameKey } from '../../text/canonical-text.js';
import { Rehearsals, type Rehearsal } from './rehearsals.js';
import { VersionSnapshots } from './version-snapshots.js';

/** A line of a file of records, and its number. */
export interface ReplayedRecord {
  readonly line: number;
  /** As in a create. */
  readonly fields?: unknown;
  /** Why it is no record: a sentence such as `Line 2 is not JSON`. */
  readonly problem?: string;
}

/** The router of a replay. */
export interface ReplayedRouter {
  /** Name of a router that is not archived. */
  readonly router: string;
  /** The live one unless given. */
  readonly version?: VersionChoice;
}

/** The input of a replay, and its progress callback. */
export interface ReplayRequest extends ReplayedRouter {
  /** In the order in which they are routed. */
  readonly records: readonly ReplayedRecord[];
  /** The instant of every decision. Default: now. */
  readonly at?: Date;
  readonly onProgress?: (done: number) => void;
}

/** Counts of records by result, the largest first. */
export type ReplayResult = ReturnType<typeof summarise>;

/** Routes records that do not exist, one after the other, as a router would now. Writes nothing. */
@Injectable()
export class ReplayService {
  constructor(
    private readonly configurations: ConfigurationCache,
    private readonly snapshots: VersionSnapshots,
    private readonly rehearsals: Rehearsals,
  ) {}

  /** Finds the router before its records are there. @throws DomainError 404 for an unknown one or version */
  async requireRouter(account: AccountContext, router: ReplayedRouter): Promise<void> {
    await this.configurations.use(account, (configuration) =>
      this.snapshotOf(account, configuration, router),
    );
  }

  /** @throws DomainError 404 for an unknown router or version, 400 that lists every line that fails */
  replay(account: AccountContext, request: ReplayRequest): Promise<ReplayResult> {
    return this.configurations.use(account, async (configuration) => {
      const snapshot = await this.snapshotOf(account, configuration, request);
      const { at, onProgress, records } = request;
      const rehearsed = await this.rehearsals.run(account, configuration, {
        snapshot,
        subject: {
          fields: records.map(({ fields }) => fields),
          make: (imagine) => recordsOf(records, imagine),
        },
        at,
        onProgress,
      });
      if (rehearsed === OUTDATED) return OUTDATED;
      onProgress?.(rehearsed.decided.length);
      return summarise(snapshot.name, rehearsed);
    });
  }

  private snapshotOf(
    account: AccountContext,
    configuration: AccountConfiguration,
    { router: wanted, version }: ReplayedRouter,
  ): Promise<RouterSnapshot> {
    const router = [...configuration.routers.values()].find(({ name }) => nameKey(name) === nameKey(wanted));
    if (router === undefined) throw notFound(`There is no router ${wanted}`);
    return this.snapshots.get(account, configuration, { routerId: router.id, version });
  }
}

/** @throws DomainError 400 that lists every line that fails: its message has a line for each */
function recordsOf(
  lines: ReplayRequest['records'],
  imagine: (fields: unknown) => StoredRecord,
): StoredRecord[] {
  const failures: FieldError[] = [];
  const sentences: string[] = [];
  let omitted = 0;
  let code: 'invalid_request' | 'invalid_fields' = 'invalid_request';
  const note = (failure: FieldError, sentence: string): void => {
    if (failures.length === MAX_ERRORS) {
      omitted += 1;
      return;
    }
    failures.push(failure);
    sentences.push(sentence);
  };
  const imagined = lines.flatMap(({ line, fields, problem }) => {
    if (problem !== undefined) {
      note({ line, message: problem }, problem);
      return [];
    }
    try {
      return [imagine(fields)];
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { errors = [{ message: error.message }], omitted: others = 0 } = error.details;
      code = 'invalid_fields';
      omitted += others;
      for (const each of errors) note({ ...each, line }, `Line ${line}: ${each.message}`);
      return [];
    }
  });
  if (failures.length === 0) return imagined;
  if (omitted > 0) sentences.push(`(and ${omitted} more)`);
  throw new DomainError(code, sentences.join('\n'), invalid(failures, { omitted, code }).details);
}

function summarise(router: string, { at, decided }: Rehearsal) {
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
    /** By reason of the decision, whether somebody was assigned or not. */
    reasons: [...reasons.values()].sort((a, b) => b.records - a.records),
  };
}
