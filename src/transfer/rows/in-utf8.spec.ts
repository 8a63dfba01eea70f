import { inUtf8 } from './in-utf8.js';

/** Reads bytes that come one by one. */
async function read(bytes: Buffer, encoding?: string): Promise<string> {
  async function* each(): AsyncGenerator<Buffer> {
    for (const byte of bytes) yield await Promise.resolve(Buffer.of(byte));
  }
  const parts: Buffer[] = [];
  for await (const chunk of (await inUtf8(each(), encoding)).chunks) parts.push(chunk);
  return Buffer.concat(parts).toString('latin1');
}

const TEXT = 'é€,😀\n';
const utf8 = Buffer.from(TEXT).toString('latin1');
const little = Buffer.from(TEXT, 'utf16le');
const big = Buffer.from(little).swap16();
const marked = (...parts: Buffer[]): Buffer => Buffer.concat(parts);

describe('A file in some encoding', () => {
  it('is UTF-8 unless something else is said, byte by byte [contract 7]', async () => {
    expect(await read(Buffer.from(TEXT))).toBe(utf8);
    expect(await read(Buffer.from('Ren\xe9e', 'latin1'))).toBe('Ren\xe9e');
    expect(await read(Buffer.of())).toBe('');
  });

  it.each([
    ['utf-16le', little],
    ['utf-16be', big],
  ])('is %s where that is said [contract 7]', async (encoding, bytes) => {
    expect(await read(bytes, encoding)).toBe(utf8);
  });

  it('is windows-1252, which has other characters than ISO 8859-1 [contract 7]', async () => {
    const bytes = Buffer.from('\x80 \x92 \xe9', 'latin1');
    for (const encoding of ['windows-1252', 'latin1'])
      expect(await read(bytes, encoding)).toBe(Buffer.from('€ ’ é').toString('latin1'));
  });

  it.each([
    ['UTF-8', marked(Buffer.of(0xef, 0xbb, 0xbf), Buffer.from(TEXT))],
    ['UTF-16LE', marked(Buffer.of(0xff, 0xfe), little)],
    ['UTF-16BE', marked(Buffer.of(0xfe, 0xff), big)],
  ])('is %s where its mark says it, which is left out [contract 7]', async (_, bytes) => {
    expect(await read(bytes)).toBe(utf8);
    expect(await read(bytes, 'windows-1252')).toBe(utf8);
  });

  it.each([
    ['a spreadsheet (.xlsx)', 'PK\x03\x04\x14'],
    ['a spreadsheet (.xls)', '\xd0\xcf\x11\xe0\xa1'],
    ['gzip', '\x1f\x8b\x08'],
    ['UTF-32', '\xff\xfe\0\0a\0\0\0'],
    ['--encoding utf-16le', 'e\0m\0a\0'],
    ['--encoding utf-16be', '\0e\0m\0a'],
  ])('is refused as %s by its first bytes [contract 7]', async (what, bytes) => {
    await expect(read(Buffer.from(bytes, 'latin1'))).rejects.toThrow(what);
  });
});
