import { jsonPage, textOfPage } from './json-page.js';
import type { Page } from './page.js';

const ROWS = ['{"a":"é"}', '{"a":1.0}'];
const PAGINATION = { limit: 2, offset: 4, count: 9, next: 'x' };
const TEXT = '{"data":[{"a":"é"},{"a":1.0}],"pagination":{"limit":2,"offset":4,"count":9,"next":"x"}}';
/** What is sent. */
const jsonOf = (page: object): string => textOfPage(page) ?? JSON.stringify(page);
const VALUE = JSON.parse(TEXT) as Page<object>;

describe('a page of rows that are JSON already', () => {
  it('is sent as the text, which nobody has parsed', () => {
    expect(jsonOf(jsonPage<object>(ROWS, PAGINATION))).toBe(TEXT);
  });

  it('is an ordinary object for others', () => {
    const page = jsonPage<object>(ROWS, PAGINATION);
    expect(Object.getPrototypeOf(page)).toBe(Object.prototype);
    expect(Object.keys(page)).toEqual(['data', 'pagination']);
    expect({ ...page }).toEqual(VALUE);
    expect(jsonPage<object>(ROWS, PAGINATION)).toEqual(VALUE);
    expect(JSON.parse(JSON.stringify(jsonPage<object>(ROWS, PAGINATION)))).toEqual(VALUE);
  });

  it('shares its getters with all pages, which V8 would else keep for long', () => {
    const data = (): unknown => Object.getOwnPropertyDescriptor(jsonPage<object>(ROWS, PAGINATION), 'data');
    expect(data()).toMatchObject({ get: expect.any(Function) as unknown });
    expect(data()).toEqual(data());
  });

  it('is sent as others have changed it', () => {
    const added = jsonPage<object>(ROWS, PAGINATION);
    (added.data as object[]).push({ b: 2 });
    const replaced = Object.assign(jsonPage<object>(ROWS, PAGINATION), { data: [] });
    const noted = jsonPage<object>(ROWS, PAGINATION);
    Object.assign(noted.pagination, { note: 1 });
    expect([added, replaced, noted].map((page) => JSON.parse(jsonOf(page)) as unknown)).toEqual([
      { ...VALUE, data: [...VALUE.data, { b: 2 }] },
      { ...VALUE, data: [] },
      { ...VALUE, pagination: { ...VALUE.pagination, note: 1 } },
    ]);
  });

  it('in a proxy, or copied with its getters, is sent as these show it', () => {
    const page = jsonPage<object>(ROWS, PAGINATION);
    const hidden = new Proxy(page, {
      get: (target, key) => (key === 'data' ? [] : (Reflect.get(target, key) as unknown)),
    });
    const data = { value: [], enumerable: true };
    const copy = Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(page), data });
    for (const changed of [hidden, copy]) expect(JSON.parse(jsonOf(changed))).toEqual({ ...VALUE, data: [] });
  });

  it('does not lend its getters to an object without its text', () => {
    const getters = Object.getOwnPropertyDescriptor(jsonPage<object>(ROWS, PAGINATION), 'data')!;
    expect(() => jsonOf(Object.defineProperty({}, 'data', getters))).toThrow(/work on that page only/);
  });

  it('with a key of somebody else is sent with it', () => {
    const page = Object.assign(jsonPage<object>(ROWS, PAGINATION), { extra: true });
    expect(JSON.parse(jsonOf(page))).toEqual({ ...VALUE, extra: true });
  });
});
