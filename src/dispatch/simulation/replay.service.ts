import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { ConfigurationCache, OUTDATED, type AccountConfiguration } from '../../configuration/index.js';
import { DomainError, type FieldError } from '../../errors/domain-error.js';
import { MAX_ERRORS, notFound } from '../../errors/errors.js';
import type { StoredRecord } from '../../records/index.js';
import type { VersionChoice } from '../../routers/index.js';
import type { RouterSnapshot } from '../snapshot/router-snapshots.js';
import { nameKey } from '../../text/canonical-text.js';
import { Rehearsals, type Rehearsal } from './rehearsals.js';
import { VersionSnapshots } from './version-snapshots.js';

/** A record of a file: its fields, as in a create, and its line number. */
export interface ReplayedRecord {
  readonly line: number;
  readonly fields: unknown;
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
  /** The lines that are no records, which are reported together with the fields that fail. */
  readonly unread?: LineFailures;
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
          make: (imagine) => recordsOf(request, imagine),
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

/** @throws DomainError 400 that lists every line that fails */
function recordsOf(
  { records, unread }: ReplayRequest,
  imagine: (fields: unknown) => StoredRecord,
): StoredRecord[] {
  const failures = new LineFailures();
  const imagined = records.flatMap(({ line, fields }) => {
    try {
      return [imagine(fields)];
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      failures.addFields(line, error);
      return [];
    }
  });
  if (unread !== undefined) failures.take(unread);
  failures.throwIfAny();
  return imagined;
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

/** What is wrong with a line, and the sentence that says so by itself. */
interface LineFailure {
  readonly error: FieldError & { readonly line: number };
  readonly sentence: string;
}

/** Collects what is wrong with the lines of a file of records: as many as an error lists, and a count. */
export class LineFailures {
  private kept: LineFailure[] = [];
  private total = 0;
  private inFields = false;

  /** Adds a line that is no record. @param sentence such as `Line 2 is not JSON` */
  addUnread(line: number, sentence: string): void {
    this.add({ error: { line, message: sentence }, sentence });
  }

  /** Adds a record whose fields fail. */
  addFields(line: number, { message, details: { errors = [{ message }], omitted = 0 } }: DomainError): void {
    this.inFields = true;
    this.total += omitted;
    for (const error of errors)
      this.add({ error: { ...error, line }, sentence: `Line ${line}: ${error.message}` });
  }

  /** Adds what another collection has. @returns this */
  take(others: LineFailures): this {
    this.kept = [...this.kept, ...others.kept].sort((a, b) => a.error.line - b.error.line);
    this.total += others.total;
    this.inFields ||= others.inFields;
    return this;
  }

  /** @throws DomainError 400 whose message has a line for each failure, in the order of the file */
  throwIfAny(): void {
    const listed = this.kept.slice(0, MAX_ERRORS);
    const [first] = listed;
    if (first === undefined) return;
    const omitted = this.total - listed.length;
    const sentences = listed.map(({ sentence }) => sentence);
    const message = [...sentences, ...(omitted > 0 ? [`(and ${omitted} more)`] : [])].join('\n');
    const { field } = first.error;
    throw new DomainError(this.inFields ? 'invalid_fields' : 'invalid_request', message, {
      ...(this.total === 1 && field !== undefined && { field }),
      errors: listed.map(({ error }) => error),
      ...(omitted > 0 && { omitted }),
    });
  }

  private add(failure: LineFailure): void {
    this.total++;
    if (this.kept.length < MAX_ERRORS) this.kept.push(failure);
  }
}
