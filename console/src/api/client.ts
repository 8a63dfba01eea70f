import createClient from 'openapi-fetch';
import { ApiError } from './errors';
import type { paths } from './schema';

/** Where the console is: ends with a slash. The service is one level up, behind whatever prefix. */
export const CONSOLE = new URL(document.baseURI);
const SERVICE = new URL('..', CONSOLE).href.replace(/\/$/, '');

/**
 * The service, as every client has it. The cookie says who asks, and the header that a page of the console
 * does: no other origin can send it.
 */
export const api = createClient<paths>({
  baseUrl: SERVICE,
  credentials: 'same-origin',
  headers: { 'X-Fairlead-Console': '1' },
});

/** Milliseconds without a touch after which what a page asks by itself does not keep the session alive. */
const IDLE = 120_000;
let touchedAt = Date.now();
for (const touch of ['pointermove', 'pointerdown', 'keydown', 'scroll']) {
  addEventListener(touch, () => (touchedAt = Date.now()), { passive: true, capture: true });
}
api.use({
  onRequest: ({ request }) => {
    if (Date.now() - touchedAt > IDLE) request.headers.set('X-Fairlead-Idle', '1');
  },
});

interface Reply<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** A thing that can be edited, and the tag of what was read. */
export interface Tagged<T> {
  value: T;
  etag: string;
}

/** @throws ApiError for an answer that is an error, and where there is none */
export async function answer<T>(request: Promise<Reply<T>>): Promise<T> {
  return (await settle(request)).data as T;
}

/** Like `answer`, with the ETag that an edit sends as If-Match. */
export async function tagged<T>(request: Promise<Reply<T>>): Promise<Tagged<T>> {
  const { data, response } = await settle(request);
  return { value: data as T, etag: response.headers.get('etag') ?? '' };
}

async function settle<T>(request: Promise<Reply<T>>): Promise<Reply<T>> {
  const reply = await request.catch((cause: unknown) => {
    if (cause instanceof DOMException) throw cause;
    throw new ApiError(0, {});
  });
  if (!reply.response.ok) throw new ApiError(reply.response.status, reply.error);
  return reply;
}
