import { startOfCsv } from './csv-start.js';

const delimiter = (text: string): string | undefined => startOfCsv(text, 0)?.delimiter;

describe('What separates the cells of a CSV file', () => {
  it.each(['\n', '\r\n', '\r'])(
    'is seen in the headings alone, whose line ends with %j [contract 7]',
    (end) => {
      // The second line has more commas than the headings have semicolons.
      expect(delimiter(['email;first_name', '"a@x",1,2,3;Ada', ''].join(end))).toBe(';');
      expect(delimiter(['', ' ', ',,,,', '"",""', 'a|b', ',,,'].join(end))).toBe('|');
    },
  );

  it('is not what quoted headings contain, whatever other quotes there are [contract 7]', () => {
    expect(delimiter('"a,b,c""d,e","f,g" ; 19" ; "h\n,,,,"')).toBe(';');
    expect(delimiter('19",b;c,"d;e;f"\n')).toBe(',');
    expect(delimiter('email')).toBe(',');
  });

  it.each([
    ['sep=;\r\na,b', ';', 'a,b'],
    ['"sep=\t"\na,b', '\t', 'a,b'],
    ['SEP=,\ra;b;c', ',', 'a;b;c'],
    ['sep=^', '^', ''],
    ['sep=a\nb,c', ',', 'sep=a\nb,c'],
    ['sep=;;\nb,c', ';', 'sep=;;\nb,c'],
  ])('is what %j says, if it is one character [contract 7]', (text, own, rest) => {
    const start = startOfCsv(text, 0);
    expect(start?.delimiter).toBe(own);
    expect(text.slice(start?.at)).toBe(rest);
    const isSaid = rest.length < text.length;
    expect(start).toMatchObject({ line: isSaid ? 2 : 1, separatorLine: isSaid ? `sep=${own}\n` : '' });
  });
});

describe('Lines before the headings', () => {
  it('are left out, whatever they are, but for what says the separator [contract 7]', () => {
    const text = 'a "title"\r\rmore;;;;\r\nemail,x\n';
    expect(startOfCsv(text, 3)).toEqual({ at: 21, line: 4, delimiter: ',', separatorLine: '' });
    expect(startOfCsv(`sep=;\n${text}`, 4)).toMatchObject({ at: 27, line: 5, delimiter: ';' });
    expect(startOfCsv('title\nsep=;\nemail,x', 1)).toMatchObject({ at: 12, line: 3, delimiter: ';' });
    expect(startOfCsv(text, 4)).toMatchObject({ at: text.length, line: 5 });
    expect(startOfCsv(text, 5)).toBeUndefined();
  });
});
