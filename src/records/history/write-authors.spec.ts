import { IMPORT_CLIENT, WriteAuthors } from './write-authors.js';

const CLIENT = '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5';
const on = new WriteAuthors({ HISTORY: 'on' });
const off = new WriteAuthors({ HISTORY: 'off' });

const said = (text: string): unknown => JSON.parse(text);

describe('who changes a record [contract 7]', () => {
  it('is a client and its request, an import, or something else', () => {
    const by = { accountId: 'acme', clientId: CLIENT };
    const n = expect.any(Number) as number;
    expect(said(on.of({ ...by, requestId: 'r 1' }))).toEqual({
      kind: 'client',
      id: CLIENT,
      request: 'r 1',
      n,
    });
    expect(said(on.of(by))).toEqual({ kind: 'client', id: CLIENT, n });
    expect(said(on.of({ ...by, clientId: IMPORT_CLIENT }))).toEqual({ kind: 'import', n });
    expect(said(on.of({ accountId: 'acme' }))).toEqual({ kind: 'system', n });
  });

  it('is another text for each write, by which the trigger knows who says nothing', () => {
    const by = { accountId: 'acme', clientId: IMPORT_CLIENT };
    expect(new Set(Array.from({ length: 100 }, () => on.of(by))).size).toBe(100);
  });

  it('is a router, by the assignment that it made', () => {
    expect(on.router(CLIENT, 'entry', 'r-1')).toEqual({
      kind: 'router',
      id: CLIENT,
      assignment: 'entry',
      request: 'r-1',
    });
    expect(on.router(CLIENT, 'entry', '')).toEqual({ kind: 'router', id: CLIENT, assignment: 'entry' });
  });

  it('can be stored whatever ids a host gives its requests', () => {
    expect(on.router(CLIENT, 'entry', 'a\ud800b\0\u{1f600}')).toMatchObject({
      request: 'a\ufffdb\ufffd\u{1f600}',
    });
  });

  it('is nobody where changes are not kept', () => {
    expect(said(off.of({ accountId: 'acme', clientId: CLIENT }))).toEqual({ kind: 'off' });
    expect(off.router(CLIENT, 'entry', 'r-1')).toEqual({ kind: 'off' });
  });
});
