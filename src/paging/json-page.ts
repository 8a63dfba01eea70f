import type { Page } from './page.js';

/** The JSON of the rows of a page, until somebody looks at them. */
const ROWS = Symbol('rows');

interface JsonPage<P> {
  /** `of`: the page. A proxy or a copy of it is sent as what it shows. */
  [ROWS]?: { readonly of: object; readonly json: string } | undefined;
  data: unknown;
  readonly pagination: P;
}

const PLAIN = { writable: true, enumerable: true, configurable: true };

/** All pages share it: V8 keeps a pair of a getter and a setter, and what they refer to, for long (ADR 7). */
const DATA: PropertyDescriptor & ThisType<JsonPage<unknown>> = {
  get() {
    const json = this[ROWS]?.json;
    if (json === undefined) throw new TypeError('The getters of a page work on that page only');
    this.data = JSON.parse(json);
    return this.data;
  },
  set(value: unknown) {
    this[ROWS] = undefined;
    Object.defineProperty(this, 'data', { ...PLAIN, value });
  },
  enumerable: true,
  configurable: true,
};

/**
 * Returns a page whose rows are JSON already, such as what the database makes of many rows.
 * FastExpressAdapter sends the JSON. Whoever looks at the rows before, such as an interceptor of a host, sees
 * an ordinary object, which is sent as it is afterwards.
 */
export function jsonPage<T, P = Page<T>['pagination']>(
  rows: readonly string[],
  pagination: P,
): { readonly data: readonly T[]; readonly pagination: P } {
  // Node.js makes one text of the parts when it sends them. `join` would make another one of 10 MiB before.
  let json = '[';
  for (const [index, row] of rows.entries()) json += index === 0 ? row : `,${row}`;
  const page = Object.defineProperty({}, 'data', DATA) as JsonPage<P>;
  Object.defineProperty(page, ROWS, { value: { of: page, json: `${json}]` }, writable: true });
  return Object.assign(page, { pagination: { ...pagination } }) as ReturnType<typeof jsonPage<T, P>>;
}

/** Returns the JSON of a page of which that of the rows is there; undefined for anything else. */
export function textOfPage(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { [ROWS]: rows, pagination } = body as Partial<JsonPage<unknown>>;
  return rows?.of === body && Object.keys(body).length === 2
    ? `{"data":${rows.json},"pagination":${JSON.stringify(pagination)}}`
    : undefined;
}
