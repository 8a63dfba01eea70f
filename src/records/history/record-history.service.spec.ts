import { changeOfCursor, cursorBehindChange } from './record-history.service.js';

const text = (value: string): string => Buffer.from(value).toString('base64url');

describe('a cursor of a history [contract 7]', () => {
  it.each([
    { us: '0', field: 'a' },
    { us: '1795415186899876', field: 'contact_owner_assigned_date' },
    { us: '1795415186899876', field: `${'x'.repeat(100)}_assigned_date` },
    { us: '1', field: 'a b\nc' },
  ])('is opaque, and stands for the place behind a change: %j', (place) => {
    expect(cursorBehindChange(place)).toMatch(/^[\w-]+$/);
    expect(changeOfCursor(cursorBehindChange(place))).toEqual(place);
  });

  it.each([
    '',
    'x',
    '1 a',
    text('1'),
    text('1 '),
    text('-1 a'),
    text('x a'),
    text(`${'1'.repeat(17)} a`),
    text('1 a\0'),
    `${text('1 a')}=`,
    Buffer.from([0x31, 0x20, 0xff]).toString('base64url'),
    text(`1 ${'a'.repeat(1_000)}`),
  ])('is not %j', (cursor) => {
    expect(changeOfCursor(cursor)).toBeUndefined();
  });
});
