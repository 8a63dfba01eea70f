import { cursorBehind, idOfCursor } from './cursor.js';

const ID = '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5';

describe('a cursor', () => {
  it.each([ID, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])(
    'stands for the place behind %s, in 22 characters of a URL [contract 3]',
    (id) => {
      expect(cursorBehind(id)).toMatch(/^[\w-]{22}$/);
      expect(idOfCursor(cursorBehind(id))).toBe(id);
    },
  );

  it('is opaque: an id is none [contract 3]', () => {
    expect(idOfCursor(ID)).toBeUndefined();
  });

  it.each([
    '',
    'x',
    'AAAAAAAAAAAAAAAAAAAAAA==',
    'AAAAAAAAAAAAAAAAAAAAAB',
    'AAAA AAAAAAAAAAAAAAAAAA',
    'A'.repeat(23),
    'é',
  ])('is not %j', (text) => {
    expect(idOfCursor(text)).toBeUndefined();
  });
});
