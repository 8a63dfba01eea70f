import { BASE_URL } from './expect';

let authorization: string | undefined;

/** Sends all further requests with a token. */
export function authorize(token: string): void {
  authorization = `Bearer ${token}`;
}

/** Sends a request of the client that orval makes. */
export async function request<T>(url: string, options: RequestInit): Promise<T> {
  const headers = new Headers(options.headers);
  if (authorization !== undefined) headers.set('Authorization', authorization);
  const response = await fetch(BASE_URL + url, { ...options, headers });
  const data: unknown = await response.json();
  return { data, status: response.status, headers: response.headers } as T;
}
