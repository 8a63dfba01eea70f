import { Inject, Injectable } from '@nestjs/common';
import type { AccountShares } from '../accounts/index.js';
import type { ClientContext } from '../auth/index.js';
import { Background, Database, type Transaction } from '../database/index.js';
import { DomainError } from '../errors/domain-error.js';
import { type Failures, idempotencyInProgress } from '../errors/errors.js';
import { errorBody, RepeatedAnswerError } from '../http/index.js';
import { textOfPage } from '../paging/index.js';
import { IdempotencyRepository, type KeptAnswer } from './idempotency.repository.js';

/** Injection token of the AccountShares of requests with idempotency keys. */
export const REQUEST_SHARES = Symbol('RequestShares');

/** Milliseconds between two looks for answers that are kept no longer. */
const SWEEP_MS = 600_000;

/** A request that may have an idempotency key. */
export interface RepeatableRequest {
  readonly client: ClientContext;
  readonly keyed?: KeyedRequest;
}

interface KeyedRequest {
  readonly key: string;
  /** SHA-256 of the request. */
  readonly digest: Buffer;
  readonly requestId: string;
  /** Status and headers that the answer has so far. */
  readonly answered: () => Pick<KeptAnswer, 'status' | 'headers'>;
  /** Sets status and headers of an earlier answer. */
  readonly repeat: (answer: KeptAnswer) => void;
  /** Removes headers of an answer that was undone. */
  readonly forget: () => void;
}

/** The part of a request that is done once. */
type Work = (client: ClientContext) => Promise<object>;

/** Ends a request: returns the body of its answer, or throws what it is refused with. */
type Answer = () => object;

/**
 * Statuses of refusals that are kept: they tell of the records. The others, and those of 5xx, leave the key
 * to the request as it is corrected, or as it is sent again (contract section 7).
 */
const KEPT = new Set([404, 409, 412]);

/**
 * Answers requests with one idempotency key once (contract section 7). The answer is kept in the transaction
 * of the effect, so one is never there without the other. Drops answers that are kept no longer, every ten
 * minutes. Several processes may do so at once.
 */
@Injectable()
export class IdempotentRequests {
  constructor(
    private readonly database: Database,
    private readonly answers: IdempotencyRepository,
    @Inject(REQUEST_SHARES) private readonly shares: AccountShares,
    private readonly background: Background,
  ) {
    const failure = 'Answers to requests with idempotency keys could not be dropped';
    background.repeat({ name: 'answers_sweep', every: SWEEP_MS, failure, run: () => this.sweep() });
  }

  /** Drops old answers. @returns how many */
  sweep(): Promise<number> {
    return this.background.inSlices((most) => this.answers.dropOld(this.database, most));
  }

  /**
   * Does a request, once for all that have its idempotency key.
   * @param work must do all that it does on behalf of the client that it is given
   * @param failures what is wrong with the request, where the work does not throw it
   * @returns what `work` returned for the first one
   * @throws what `work` throws; DomainError 400 for failures, 422 for another request with the key, 409 while
   *   the first one is still at work
   */
  async once<T extends object>(
    { client, keyed }: RepeatableRequest,
    work: (client: ClientContext) => Promise<T>,
    failures?: Failures,
  ): Promise<T> {
    failures?.throwIfAny();
    if (keyed === undefined) return work(client);
    const leave = await this.shares.enter(client);
    try {
      const answer = await this.database
        .for(client)
        .transaction((tx) => this.answerOnce(tx, { client, request: keyed, work }));
      return answer() as T;
    } finally {
      leave();
    }
  }

  private async answerOnce(tx: Transaction, { client, request, work }: First): Promise<Answer> {
    if (!(await this.answers.lock(tx, client, request.key))) return refusing(idempotencyInProgress());
    const known = await this.answers.find(tx, client, request.key);
    if (known !== undefined) return () => repeat(known, request);
    request.forget();
    const { kept, answer } = await firstAnswer(tx, { client, request, work });
    await this.answers.keep(tx, client, { ...kept, key: request.key });
    return answer;
  }
}

interface First {
  readonly client: ClientContext;
  readonly request: KeyedRequest;
  readonly work: Work;
}

const refusing = (error: Error) => (): never => {
  throw error;
};

/** Does the work, as part of the transaction. @throws what is not kept */
async function firstAnswer(
  tx: Transaction,
  { client, request, work }: First,
): Promise<{ readonly kept: KeptAnswer; readonly answer: Answer }> {
  const { digest, requestId } = request;
  try {
    const result = await tx.asPart(() => work({ ...client, transaction: tx }));
    return {
      kept: { digest, ...request.answered(), body: textOfPage(result) ?? JSON.stringify(result) },
      answer: () => result,
    };
  } catch (error) {
    if (!(error instanceof DomainError) || !KEPT.has(error.status)) throw error;
    request.forget();
    const body = JSON.stringify(errorBody(error, requestId));
    return { kept: { digest, status: error.status, headers: {}, body }, answer: refusing(error) };
  }
}

/** Answers as the first request was answered. @throws DomainError 422 for another request with the key */
function repeat(kept: KeptAnswer, request: KeyedRequest): object {
  if (!kept.digest.equals(request.digest)) {
    throw new DomainError('idempotency_key_reused', 'Another request has had this Idempotency-Key');
  }
  request.repeat(kept);
  const body = JSON.parse(kept.body) as object;
  if (kept.status >= 400) throw new RepeatedAnswerError(kept.status, body);
  return body;
}
