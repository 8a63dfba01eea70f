import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiClient } from './api-client.js';
import { sendRequest, type RawResponse } from './send-request.js';

export type { RawResponse };

export interface RawRequest {
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  /** Sends the body in chunks, without a Content-Length. */
  readonly chunked?: boolean;
}

/**
 * Sends requests that `ApiClient` would refuse or change: an invalid path, a body without a Content-Type,
 * bytes that are not text. It uses the client's token, unless the headers contain another.
 */
export function rawRequest(
  { baseUrl, token }: ApiClient,
  method: string,
  path: string,
  { headers = {}, body, chunked = false }: RawRequest = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(baseUrl);
  const sent: OutgoingHttpHeaders = {
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(body === undefined || chunked ? {} : { 'Content-Length': Buffer.byteLength(body) }),
    Connection: 'close',
    ...headers,
  };
  return sendRequest({ hostname, port, method, path, headers: sent }, (outgoing) => {
    // With separate calls of write and end, a body without a length is sent in chunks.
    if (body !== undefined) outgoing.write(body);
    outgoing.end();
  });
}
