import { ApiClient, type ApiResponse, type RequestOptions } from './api-client.js';
import { obediently } from './obediently.js';

/** Sends what is answered 503 with Retry-After again, which the service answers where it has done nothing. */
export class ObedientClient extends ApiClient {
  override request(
    method: string,
    path: string,
    body?: unknown,
    options?: RequestOptions,
  ): Promise<ApiResponse> {
    return obediently(() => super.request(method, path, body, options));
  }
}
