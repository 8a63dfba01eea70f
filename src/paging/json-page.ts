import type { Page, SearchPage } from './page.js';

/**
 * The JSON of a page as a whole, until somebody looks at the page. A WeakMap would keep all texts until the
 * old generation is collected (ADR 7).
 */
const TEXT = Symbol('text');

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
  return Object.defineProperties({}, { [TEXT]: { value: text, configurable: true }, ...LAZY }) as Envelope;
}

interface Envelope {
  readonly [TEXT]?: string;
  readonly data: unknown;
  readonly pagination: unknown;
}

/** Makes an ordinary object of a page of which there is the text only. */
function shown(page: Envelope): Envelope {
  const { data, pagination } = JSON.parse(page[TEXT] ?? '') as Envelope;
  return Object.defineProperties(page, {
    [TEXT]: { value: undefined },
    data: { ...PLAIN, value: data },
    pagination: { ...PLAIN, value: pagination },
  });
}

const PLAIN = { writable: true, enumerable: true, configurable: true };

/**
 * The properties of a page of which there is the text only. All pages share them, because V8 puts a pair of a
 * getter and a setter into the old generation, and what they refer to with it.
 */
const LAZY = { data: lazy('data'), pagination: lazy('pagination') };

function lazy(key: 'data' | 'pagination'): PropertyDescriptor & ThisType<Envelope> {
  return {
    get() {
      return shown(this)[key];
    },
    set(value: unknown) {
      Object.assign(shown(this), { [key]: value });
    },
    enumerable: true,
    configurable: true,
  };
}

const KEYS = Object.keys(LAZY).length;

/** Returns the JSON of an answer, which is not made again where it is there. */
export function jsonOf(body: object): string {
  const { [TEXT]: text } = body as Partial<Envelope>;
  return text === undefined || Object.keys(body).length !== KEYS ? JSON.stringify(body) : text;
}
