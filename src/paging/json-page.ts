import type { Page, SearchPage } from './page.js';

/**
 * The JSON of a page as a whole, until somebody looks at the page. A WeakMap would keep all texts until the
 * old generation is collected (ADR 7).
 */
const TEXT = Symbol('text');

interface PageText {
  /** The page. A proxy or a copy of it is sent as what it shows. */
  readonly of: object;
  readonly text: string;
}

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
  const page = {};
  return Object.defineProperties(page, {
    [TEXT]: { value: { of: page, text }, configurable: true },
    ...LAZY,
  }) as Envelope;
}

interface Envelope {
  readonly [TEXT]?: PageText;
  readonly data: unknown;
  readonly pagination: unknown;
}

/** Makes an ordinary object of a page of which there is the text only. A copy keeps what it has instead. */
function show(page: Envelope): Envelope {
  const whole = page[TEXT];
  if (whole === undefined) throw new TypeError('The getters of a page work on that page only');
  Object.defineProperty(page, TEXT, { value: undefined });
  for (const [key, value] of Object.entries(JSON.parse(whole.text) as Envelope)) {
    const own = Object.getOwnPropertyDescriptor(page, key);
    if (own === undefined || own.get === LAZY[key]?.get) {
      Object.defineProperty(page, key, { ...PLAIN, value: value as unknown });
    }
  }
  return page;
}

const PLAIN = { writable: true, enumerable: true, configurable: true };

/**
 * The properties of a page of which there is the text only. All pages share them, because V8 puts a pair of a
 * getter and a setter into the old generation, and what they refer to with it.
 */
const LAZY: PropertyDescriptorMap = { data: lazy('data'), pagination: lazy('pagination') };

function lazy(key: 'data' | 'pagination'): PropertyDescriptor & ThisType<Envelope> {
  return {
    get() {
      return show(this)[key];
    },
    set(value: unknown) {
      Object.assign(show(this), { [key]: value });
    },
    enumerable: true,
    configurable: true,
  };
}

const KEY_COUNT = Object.keys(LAZY).length;

/** Returns the JSON of an answer, which is not made again where it is there. */
export function jsonOf(body: object): string {
  const { [TEXT]: whole } = body as Partial<Envelope>;
  return whole?.of === body && Object.keys(body).length === KEY_COUNT ? whole.text : JSON.stringify(body);
}
