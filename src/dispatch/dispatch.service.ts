import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import { isId } from '../database/index.js';
import { notFound } from '../errors/errors.js';
import { DispatchQueue } from './dispatch-queue.js';
import { refusedResult, type BatchResult, type DispatchResult } from './dispatch-result.js';
import type { Outcome } from './outcome.js';

/** Runs routers on records (clause 4.6). */
@Injectable()
export class DispatchService {
  constructor(private readonly queue: DispatchQueue) {}

  /**
   * Runs a router on a record and logs the run, whether it assigns or not.
   * @throws 404 for an unknown or archived router and an unknown record, 400 for a record of another type than the
   *   router's, 409 for an archived record
   */
  async dispatch(account: AccountContext, routerId: string, objectId: string): Promise<DispatchResult> {
    const outcome = await this.submit(account, routerId, objectId);
    if (!outcome.ok) throw outcome.error;
    return outcome.result;
  }

  /**
   * Runs a router on several records, in the order given; one that is refused spoils no other.
   * @returns an entry for each record, in the same order
   * @throws 404 for an unknown or archived router
   */
  async dispatchBatch(
    account: AccountContext,
    routerId: string,
    objectIds: readonly string[],
  ): Promise<BatchResult[]> {
    const submitted = objectIds.map((objectId) => this.submit(account, routerId, objectId));
    const outcomes = await Promise.all(submitted);
    return outcomes.map((outcome, index) => {
      const objectId = objectIds[index] ?? '';
      if (!outcome.ok) return refusedResult(objectId, outcome.error);
      return { object_id: objectId, status: 200, ...outcome.result };
    });
  }

  private async submit(account: AccountContext, routerId: string, objectId: string): Promise<Outcome> {
    if (!isId(routerId)) throw notFound('Router not found');
    // An id that cannot exist goes the same way as one that does not, so that the router is looked at first.
    const object = isId(objectId) ? objectId.toLowerCase() : NO_OBJECT;
    return this.queue.submit(account, routerId.toLowerCase(), object);
  }
}

/** The nil UUID, which no record has. */
const NO_OBJECT = '00000000-0000-0000-0000-000000000000';
