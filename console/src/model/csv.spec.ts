import { toCsv } from './csv';

it('a file for spreadsheets has every cell as it is, and no formula', () => {
  const rows = [
    ['Smith, "Bo"', 1, null],
    ['two\nlines', -2, '=1+1'],
  ];
  expect(toCsv(['a', 'b', 'c'], rows)).toBe('a,b,c\r\n"Smith, ""Bo""",1,\r\n"two\nlines",-2,\'=1+1\r\n');
});
