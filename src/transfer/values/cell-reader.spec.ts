import { readBool } from './cell-reader.js';

it.each([
  [true, ['true', 'TRUE', 'True', 'yes', 'Y', 't', 'on', '1', ' 1\u00a0']],
  [false, ['false', 'FALSE', 'no', 'N', 'f', 'off', '0']],
  [undefined, ['', '2', 'x', 'maybe', 'truee', '01']],
])('A cell is %s where it says so: %j [contract 7]', (expected, cells) => {
  for (const cell of cells) expect([cell, readBool(cell)]).toEqual([cell, expected]);
});
