import { randomUUID } from 'node:crypto';
import type { ApiResponse, RequestOptions } from './api-client.js';

/** Sends a request as often as its answers ask for: a 503 with Retry-After. @returns the last answer */
export async function obediently(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503 || !answer.headers.has('retry-after')) return answer;
  }
}

/**
 * Sends a write with a key, again and again until it is known what became of it.
 * @param send given the key
 * @returns the last answer
 */
export async function untilKnown(
  send: (options: RequestOptions) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const options = { headers: { 'Idempotency-Key': randomUUID() } };
  for (;;) {
    const answer = await send(options);
    if (answer.status !== 503 && answer.status !== 409) return answer;
  }
}
