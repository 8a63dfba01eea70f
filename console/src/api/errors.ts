/** What the service answers instead of a result. Status 0: it did not answer. */
interface ErrorBody {
  message?: string;
  code?: string;
  field?: string;
  errors?: { field?: string; message: string }[];
  request_id?: string;
  /** Of a conflict: who uses the thing. */
  routers?: { id: string; name: string }[];
  records?: Record<string, number>;
}

/** An answer that is an error. */
export class ApiError extends Error {
  readonly body: ErrorBody;

  constructor(
    readonly status: number,
    body: unknown,
  ) {
    const known = typeof body === 'object' && body !== null ? (body as ErrorBody) : {};
    super(known.message ?? '');
    this.body = known;
  }

  /** What is wrong with a field of a form, by its key: `limits` has what is wrong with `limits.day` too. */
  at(key: string): string | undefined {
    const { field, errors } = this.body;
    const all = errors ?? (field === undefined ? [] : [{ field, message: this.message }]);
    const messages = all.flatMap(({ field = '', message }) => (isIn(field, key) ? [message] : []));
    return messages.length === 0 ? undefined : messages.join('\n');
  }
}

function isIn(path: string, key: string): boolean {
  return path === key || (path.startsWith(key) && /^[.[]/.test(path.slice(key.length)));
}

/** Whether the person must sign in again. */
export function isSessionEnd(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Whether what was edited has changed since it was read. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}
