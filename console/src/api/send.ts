import { api } from './client';

interface SendOptions {
  /** Of the object, where the path has one: `{id}`. */
  id?: string;
  query?: object;
  /** Sent as If-Match. */
  etag?: string;
  body?: object;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type Send = (
  path: string,
  options: object,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/**
 * Sends a request of which only the caller knows the types. Object types, and kinds of configuration, have
 * the same routes under names of their own, and one piece of a page serves them all.
 */
export function send<T>(method: Method, path: string, { id, query, etag, body }: SendOptions = {}) {
  const params = {
    ...(id !== undefined && { path: { id } }),
    ...(query !== undefined && { query }),
    ...(etag !== undefined && { header: { 'If-Match': etag } }),
  };
  const sent = (api[method] as unknown as Send)(path, { params, ...(body !== undefined && { body }) });
  return sent as Promise<{ data?: T; error?: unknown; response: Response }>;
}
