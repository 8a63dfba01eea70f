import type { ApiClient, ApiResponse } from './api-client.js';

/** A filter of one group. */
export const where = (...conditions: readonly object[]): object => ({ groups: [{ conditions }] });
/** A condition. */
export const is = (field: string, operator: string, value?: unknown): object => ({ field, operator, value });

/** Searches page by page until there is no next. @returns the pages */
export async function follow(client: ApiClient, path: string, body: object): Promise<ApiResponse['body'][]> {
  const pages: ApiResponse['body'][] = [];
  let after: string | null = null;
  do {
    const answer = await client.post(path, { ...body, after });
    expect(answer.status).toBe(200);
    pages.push(answer.body);
    after = answer.body.pagination.next;
  } while (after !== null);
  return pages;
}
/** The rows of pages. */
export const rows = (pages: readonly any[]): any[] => pages.flatMap(({ data }) => data);
