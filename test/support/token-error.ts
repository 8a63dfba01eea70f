import type { ApiResponse } from './api-client.js';
import { expectError } from './error-object.js';

/** Asserts the error object with RFC 6749's word, and headers that forbid caching. */
export function expectTokenError(
  response: ApiResponse,
  code: string,
  message: string,
  { status = 400, ...details }: { status?: number; field?: string; errors?: object[] } = {},
): void {
  expectError(response, status, { message, code, error_code: code, error_description: message, ...details });
  expect(response.headers.get('cache-control')).toBe('no-store');
}

/** The details of an error that one parameter caused. */
export const blaming = (field: string, message: string): { field: string; errors: object[] } => ({
  field,
  errors: [{ field, message }],
});
