import { IMPORT_CLIENT, WriteAuthors } from './write-authors.js';

const CLIENT = '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5';
const on = new WriteAuthors({ HISTORY: 'on' });
const off = new WriteAuthors({ HISTORY: 'off' });

describe('who changes a record [contract 7]', () => {
  it('is a client and its request, an import, or something else', () => {
    const by = { accountId: 'acme', clientId: CLIENT };
    expect(on.of({ ...by, requestId: 'r-1' })).toMatch(new RegExp(`^client ${CLIENT} r-1 \\w+$`));
    expect(on.of(by)).toMatch(new RegExp(`^client ${CLIENT} - \\w+$`));
    expect(on.of({ ...by, clientId: IMPORT_CLIENT })).toMatch(/^import - - \w+$/);
    expect(on.of({ accountId: 'acme' })).toMatch(/^system - - \w+$/);
  });

  it('is another text for each write, by which the trigger knows who says nothing', () => {
    const by = { accountId: 'acme', clientId: IMPORT_CLIENT };
    expect(new Set(Array.from({ length: 100 }, () => on.of(by))).size).toBe(100);
  });

  it('names few fields, which are all that a statement may change', () => {
    const by = { accountId: 'acme', clientId: CLIENT };
    expect(on.of(by, ['city', 'phone'])).toMatch(/ \w+ city,phone$/);
    expect(on.of(by, [])).toMatch(/ - \w+$/);
    expect(on.of(by, ['a', 'b', 'c', 'd', 'e'])).toMatch(/ - \w+$/);
    expect(on.of(by, ['a', 'b c'])).toMatch(/ - \w+$/);
    expect(on.of(by, ['a,b'])).toMatch(/ - \w+$/);
  });

  it('is a router, to which the statement adds the assignment', () => {
    expect(on.router(CLIENT, 'r-1')).toBe(`router ${CLIENT} r-1`);
    expect(on.router(CLIENT, undefined)).toBe(`router ${CLIENT} -`);
  });

  it('has as many words whatever ids a host gives its requests', () => {
    expect(on.router(CLIENT, 'a b\tc')).toBe(`router ${CLIENT} a_b_c`);
    expect(on.router(CLIENT, '')).toBe(`router ${CLIENT} -`);
  });

  it('is nobody where changes are not kept', () => {
    expect(off.of({ accountId: 'acme', clientId: CLIENT })).toBe('off');
    expect(off.router(CLIENT, 'r-1')).toBeNull();
  });
});
