import { request, type OutgoingHttpHeaders } from 'node:http';
import type { ApiClient, ApiResponse } from './api-client.js';

export interface RawRequest {
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
  /** Sends the body in chunks, without a Content-Length. */
  readonly chunked?: boolean;
}

/** An answer with its body as it came. */
export interface RawResponse extends ApiResponse {
  readonly text: string;
}

/**
 * Sends requests that `fetch` would refuse or change: an invalid path, a body without a Content-Type, bytes
 * that are not text. It uses the client's token, unless the headers contain another.
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
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, headers: sent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const received = new Headers(incoming.headers as Record<string, string>);
        resolve({ status: incoming.statusCode ?? 0, headers: received, text, body: parse(text) });
      });
    });
    outgoing.on('error', reject);
    // With separate calls of write and end, a body without a length is sent in chunks.
    if (body !== undefined) outgoing.write(body);
    outgoing.end();
  });
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
