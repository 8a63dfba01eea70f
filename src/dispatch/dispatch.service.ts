import { Injectable, Logger } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import { isId, newId } from '../database/index.js';
import { DomainError } from '../errors/domain-error.js';
import { internal, notFound } from '../errors/errors.js';
import { unavailableAnswer } from '../errors/error-object.js';
import { DispatchQueue } from './queue/dispatch-queue.js';
import {
  refusedResult,
  type BatchResult,
  type DispatchResult,
  type Outcome,
} from './transaction/dispatch-result.js';

/** Runs routers on records (clause 4.6). */
@Injectable()
export class DispatchService {
  private readonly logger = new Logger(DispatchService.name);

  constructor(private readonly queue: DispatchQueue) {}

  /**
   * Runs a router on a record, and logs it. @throws 404 for an unknown or archived router and an unknown
   * record, 400 for one of another type, 409 for an archived one, and where the router lacks an extension
   */
  async dispatch(account: AccountContext, routerId: string, objectId: string): Promise<DispatchResult> {
    const [outcome] = await this.run(account, routerId, [objectId]);
    if (outcome?.status === 'rejected') throw outcome.reason;
    if (outcome?.value.ok !== true) throw outcome?.value.error ?? new Error('A dispatch has no outcome');
    return outcome.value.result;
  }

  /**
   * Runs a router on several records, in the order given. A refused record does not affect the others.
   * @throws 404 for an unknown or archived router, 409 for one whose extension is missing
   */
  async dispatchBatch(
    account: AccountContext,
    routerId: string,
    objectIds: readonly string[],
  ): Promise<BatchResult[]> {
    // Some records may be assigned although others fail. Each gets its own answer, unless the whole request
    // is invalid.
    const settled = await this.run(account, routerId, objectIds);
    return settled.map((one, index) => {
      const objectId = objectIds[index] ?? '';
      return one.status === 'rejected'
        ? refusedResult(objectId, this.failure(one.reason))
        : entryOf(objectId, one.value);
    });
  }

  /** The entry of a batch for an error that the client did not cause. @throws one that it caused */
  private failure(error: unknown): DomainError {
    if (error instanceof DomainError && error.status < 500) throw error;
    const known = error instanceof DomainError ? error : unavailableAnswer(error);
    if (known?.status === 503) return known;
    this.logger.error(error);
    return known ?? internal();
  }

  /** @throws 404 for a router id that cannot exist, and what ends the transaction of the account */
  private async run(
    account: AccountContext,
    routerId: string,
    objectIds: readonly string[],
  ): Promise<PromiseSettledResult<Outcome>[]> {
    if (!isId(routerId)) throw notFound('Router not found');
    // A malformed id is replaced by an unknown one, so that the router is checked first in both cases.
    const runs = objectIds.map((id) => ({
      routerId: routerId.toLowerCase(),
      objectId: isId(id) ? id.toLowerCase() : newId(),
      requestId: account.requestId,
    }));
    if (account.transaction === undefined) {
      return Promise.allSettled(runs.map((one) => this.queue.submit(account, one.routerId, one.objectId)));
    }
    const outcomes = await this.queue.runAsPart(account, runs);
    return outcomes.map((value) => ({ status: 'fulfilled', value }));
  }
}

/** The entry of a batch for one record. @throws what the router is refused for, which concerns all */
function entryOf(objectId: string, outcome: Outcome): BatchResult {
  if (outcome.ok) return { object_id: objectId, status: 200, ...outcome.result };
  if (outcome.isOfRouter === true) throw outcome.error;
  return refusedResult(objectId, outcome.error);
}
