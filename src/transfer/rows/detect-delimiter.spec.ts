import { detectDelimiter } from './detect-delimiter.js';

async function* bytes(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}

describe('What separates the cells of a CSV file', () => {
  it.each(['\n', '\r\n', '\r'])(
    'is seen in the first line alone, which ends with %j [contract 7]',
    async (end) => {
      // The second line has more commas than the headings have semicolons.
      const lines = ['email;first_name', '"a@x",1,2,3;Ada', ''];
      expect((await detectDelimiter(bytes(lines.join(end)))).delimiter).toBe(';');
    },
  );
});
