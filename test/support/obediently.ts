import type { ApiResponse } from './api-client.js';

/** Sends a request as often as its answers ask for: a 503 with Retry-After. @returns the last answer */
export async function obediently(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503 || !answer.headers.has('retry-after')) return answer;
  }
}
