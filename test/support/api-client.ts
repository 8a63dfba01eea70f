import { Agent } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { ApiContract } from './api-contract.js';
import { sendRequest, type RawResponse } from './send-request.js';

/** Keeps connections, as `fetch` does, which takes twice as much time for a request. */
const AGENT = new Agent({ keepAlive: true });

/** An answer of the service. */
export type ApiResponse = Omit<RawResponse, 'text'>;

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is; otherwise a body is sent as JSON. */
  readonly raw?: string | Uint8Array;
}

/**
 * A REST client of the service with a bearer token, or without. It throws where an answer is not as the
 * OpenAPI document of the service says.
 */
export class ApiClient {
  constructor(
    readonly baseUrl: string,
    readonly token?: string,
    /**
     * False for an application of a host, which may have routes that its document leaves out, or no
     * document.
     */
    private readonly held = true,
  ) {}

  get(path: string, options?: RequestOptions): Promise<ApiResponse> {
    return this.request('GET', path, undefined, options);
  }

  post(path: string, body?: unknown, options?: RequestOptions): Promise<ApiResponse> {
    return this.request('POST', path, body, options);
  }

  patch(path: string, body?: unknown, options?: RequestOptions): Promise<ApiResponse> {
    return this.request('PATCH', path, body, options);
  }

  put(path: string, body?: unknown, options?: RequestOptions): Promise<ApiResponse> {
    return this.request('PUT', path, body, options);
  }

  delete(path: string, options?: RequestOptions): Promise<ApiResponse> {
    return this.request('DELETE', path, undefined, options);
  }

  async request(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<ApiResponse> {
    const payload = options.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const headers = {
      ...(this.token === undefined ? {} : { Authorization: `Bearer ${this.token}` }),
      ...(payload === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) }),
      ...options.headers,
    };
    const to = urlToHttpOptions(new URL(this.baseUrl + path));
    const { text: _, ...answer } = await sendRequest({ ...to, agent: AGENT, method, headers }, (outgoing) =>
      outgoing.end(payload),
    );
    if (this.held) ApiContract.current.check(method, path, answer);
    return answer;
  }
}
