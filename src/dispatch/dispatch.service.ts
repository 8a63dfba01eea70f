import { Injectable, Logger } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import { isId, newId } from '../database/index.js';
import { DomainError } from '../errors/domain-error.js';
import { internal, notFound } from '../errors/errors.js';
import { unavailableAnswer } from '../errors/error-object.js';
import { DispatchQueue } from './queue/dispatch-queue.js';
import { refusedResult, type BatchResult, type DispatchResult } from './transaction/dispatch-result.js';
import type { Outcome } from './transaction/outcome.js';

/** Runs routers on records (clause 4.6). */
@Injectable()
export class DispatchService {
  private readonly logger = new Logger(DispatchService.name);

  constructor(private readonly queue: DispatchQueue) {}

  /**
   * Runs a router on a record and logs the assignment, whether somebody is assigned or not.
   * @throws 404 for an unknown or archived router and an unknown record, 400 for a record of another type
   *   than the router's, 409 for an archived record, and for a router whose extension is missing
   */
  async dispatch(account: AccountContext, routerId: string, objectId: string): Promise<DispatchResult> {
    const outcome = await this.submit(account, routerId, objectId);
    if (!outcome.ok) throw outcome.error;
    return outcome.result;
  }

  /**
   * Runs a router on several records, in the order given. A refused record does not affect the others.
   * @returns an entry for each record, in the same order
   * @throws 404 for an unknown or archived router, 409 for one whose extension is missing
   */
  async dispatchBatch(
    account: AccountContext,
    routerId: string,
    objectIds: readonly string[],
  ): Promise<BatchResult[]> {
    if (account.transaction !== undefined) return this.inTurn(account, routerId, objectIds);
    const submitted = objectIds.map((objectId) => this.submit(account, routerId, objectId));
    // Some records may be assigned although others fail. Each gets its own answer, unless the whole request
    // is invalid.
    const settled = await Promise.allSettled(submitted);
    return settled.map((one, index) => {
      const objectId = objectIds[index] ?? '';
      return one.status === 'rejected'
        ? refusedResult(objectId, this.failure(one.reason))
        : entryOf(objectId, one.value);
    });
  }

  /** Runs a router as part of a transaction, which does one thing after the other. */
  private async inTurn(
    account: AccountContext,
    routerId: string,
    objectIds: readonly string[],
  ): Promise<BatchResult[]> {
    const results: BatchResult[] = [];
    for (const objectId of objectIds)
      results.push(entryOf(objectId, await this.submit(account, routerId, objectId)));
    return results;
  }

  /**
   * Returns the entry of a batch for an error that the client did not cause.
   * @throws an error that the client caused
   */
  private failure(error: unknown): DomainError {
    if (error instanceof DomainError && error.status < 500) throw error;
    const known = error instanceof DomainError ? error : unavailableAnswer(error);
    if (known?.status === 503) return known;
    this.logger.error(error);
    return known ?? internal();
  }

  private async submit(account: AccountContext, routerId: string, objectId: string): Promise<Outcome> {
    if (!isId(routerId)) throw notFound('Router not found');
    // A malformed id is replaced by an unknown one, so that the router is checked first in both cases.
    const object = isId(objectId) ? objectId.toLowerCase() : newId();
    return this.queue.submit(account, routerId.toLowerCase(), object);
  }
}

/** The entry of a batch for what became of one record. */
function entryOf(objectId: string, outcome: Outcome): BatchResult {
  return outcome.ok
    ? { object_id: objectId, status: 200, ...outcome.result }
    : refusedResult(objectId, outcome.error);
}
