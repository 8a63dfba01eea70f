import type { Page, SearchPage } from './page.js';

const texts = new WeakMap<object, string>();

/**
 * Returns a page whose rows are JSON already, such as what the database makes of many rows.
 * FastExpressAdapter sends the text. Whoever looks at the page before, such as an interceptor of a host, sees
 * an ordinary object, which is made then, and is sent as it is afterwards.
 */
export function jsonPage<T>(rows: readonly string[], pagination: Page<T>['pagination']): Page<T> {
  return textPage(rows, pagination) as Page<T>;
}

/** As `jsonPage`, of a search. */
export function searchPage<T>(
  rows: readonly string[],
  pagination: SearchPage<T>['pagination'],
): SearchPage<T> {
  return textPage(rows, pagination) as SearchPage<T>;
}

function textPage(rows: readonly string[], pagination: object): Envelope {
  // Node.js makes one text of the parts when it sends them. `join` would make another one of 10 MiB before.
  let text = '{"data":[';
  for (const [index, row] of rows.entries()) text += index === 0 ? row : `,${row}`;
  text += `],"pagination":${JSON.stringify(pagination)}}`;
  const page = {} as Envelope;
  const show = (): Envelope => {
    const shown = JSON.parse(text) as Envelope;
    texts.delete(page);
    for (const key of KEYS) Object.defineProperty(page, key, { ...PLAIN, value: shown[key] });
    return page;
  };
  for (const key of KEYS) {
    const get = (): unknown => show()[key];
    const set = (value: unknown): unknown => Object.assign(show(), { [key]: value });
    Object.defineProperty(page, key, { get, set, enumerable: true, configurable: true });
  }
  texts.set(page, text);
  return page;
}

interface Envelope {
  readonly data: unknown;
  readonly pagination: unknown;
}

const KEYS = ['data', 'pagination'] as const;
const PLAIN = { writable: true, enumerable: true, configurable: true };

/** Returns the JSON of an answer, which is not made again where it is there. */
export function jsonOf(body: object): string {
  const text = texts.get(body);
  return text === undefined || Object.keys(body).length !== KEYS.length ? JSON.stringify(body) : text;
}
