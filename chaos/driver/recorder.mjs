// Keeps every request with its times and its outcome, and the history of every record.
import { outcomeOf, outcomeOfItem } from './outcome.mjs';

/**
 * A request: `{ kind, client, target, record?, token?, router?, items?, start, end, answers, outcome }`. Times
 * are milliseconds of the monotonic clock. `answers` holds those of the attempts, the last of which counts.
 * `items` are the dispatches of a batch.
 */
export class Recorder {
  requests = [];
  /** `{ id, created, events, gone }`: what its client has asked for, in order, one after the other. */
  records = [];
  #open = new Set();

  begin(request) {
    Object.assign(request, { start: performance.now(), answers: [], outcome: undefined });
    this.requests.push(request);
    this.#open.add(request);
    return request;
  }

  attempt(request, answer) {
    request.answers.push(answer);
  }

  end(request) {
    const answer = request.answers.at(-1);
    request.end = performance.now();
    request.outcome = outcomeOf(answer);
    request.body = request.outcome === 'acknowledged' ? answer.body : undefined;
    for (const item of request.items ?? []) this.#endItem(item, request);
    this.#open.delete(request);
    if (request.kind === 'create') this.#created(request);
  }

  /** Requests without an answer yet. */
  get pending() {
    return [...this.#open];
  }

  /** How many requests have an outcome. */
  get ended() {
    return this.requests.length - this.#open.size;
  }

  count(outcome, since = 0) {
    return this.since(since).filter((request) => request.outcome === outcome).length;
  }

  /** Requests that began at that instant or later. */
  since(instant) {
    return this.requests.filter(({ start }) => start >= instant);
  }

  #created(request) {
    const record = {
      id: request.body?.id,
      created: request,
      events: [],
      gone: request.outcome !== 'acknowledged',
    };
    request.record = record;
    this.records.push(record);
  }

  #endItem(item, { start, end, outcome, body }) {
    const result = body?.results?.find(({ object_id: id }) => id === item.record.id);
    Object.assign(item, { start, end, outcome, body: result });
    if (outcome === 'acknowledged') item.outcome = result === undefined ? 'unknown' : outcomeOfItem(result);
  }
}
