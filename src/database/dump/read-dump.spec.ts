import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DUMP_FORMAT, encodeRecord } from './dump-format.js';
import { readRecords, verifyDump } from './read-dump.js';

const HEADER = {
  format: DUMP_FORMAT,
  fairlead: 'test',
  postgres: '18.4',
  createdAt: '2026-11-22T00:00:00.000Z',
  migrations: ['One1'],
  tables: [{ schema: null, name: 'kept', columns: ['text'] }],
  sequences: [],
};

const record = (kind: string, content: string): Buffer =>
  encodeRecord({ kind, content: Buffer.from(content) });

const closed = (...records: Buffer[]): Buffer => {
  const bytes = Buffer.concat(records);
  return Buffer.concat([bytes, record('E', createHash('sha256').update(bytes).digest('hex'))]);
};

const ROWS = 'row\n'.repeat(50_000);
const SOUND = closed(
  record('H', JSON.stringify(HEADER)),
  record('D', ROWS.slice(0, 100_001)),
  record('D', ROWS.slice(100_001)),
  record('T', '50000'),
);

describe('a dump', () => {
  let path: string;
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fairlead-dump-'));
    path = join(folder, 'dump');
  });
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  const verify = async (content: Buffer): Promise<unknown> => {
    await writeFile(path, content);
    return verifyDump(path);
  };

  it('is read as it was written', async () => {
    expect(await verify(gzipSync(SOUND))).toEqual(HEADER);
    const rows: string[] = [];
    for await (const { kind, content } of readRecords(path)) if (kind === 'D') rows.push(content.toString());
    expect(rows.join('')).toBe(ROWS);
  });

  it('is refused wherever it is cut', async () => {
    const whole = gzipSync(SOUND);
    for (let length = 0; length < whole.length; length += 7) {
      await expect(verify(whole.subarray(0, length))).rejects.toThrow(/^\S+dump is not a whole dump made by/);
    }
    for (const length of [0, 1, 5, 200, SOUND.length - 70, SOUND.length - 69, SOUND.length - 1]) {
      await expect(verify(gzipSync(SOUND.subarray(0, length)))).rejects.toThrow(/is not a whole dump/);
    }
  });

  it('is refused where a byte has changed', async () => {
    const whole = gzipSync(SOUND);
    // The first ten bytes of gzip say nothing about the contents.
    for (let at = 10; at < whole.length; at += 11) {
      const changed = Buffer.from(whole);
      changed[at] = changed[at]! ^ 1;
      await expect(verify(changed)).rejects.toThrow(/is not a whole dump/);
    }
    const changed = Buffer.from(SOUND);
    changed[1000] = changed[1000]! ^ 1;
    await expect(verify(gzipSync(changed))).rejects.toThrow('its checksum is wrong');
  });

  it('is refused where it lacks a table, its header or its end, or where more follows', async () => {
    const header = record('H', JSON.stringify(HEADER));
    await expect(verify(gzipSync(closed(header)))).rejects.toThrow('it lacks a table');
    await expect(verify(gzipSync(closed(record('T', '0'))))).rejects.toThrow('it has no header');
    await expect(verify(gzipSync(Buffer.concat([header, record('T', '0')])))).rejects.toThrow(
      'it has no end',
    );
    await expect(verify(gzipSync(Buffer.concat([SOUND, record('T', '0')])))).rejects.toThrow(
      'follows its end',
    );
    await expect(verify(gzipSync(closed(Buffer.from('H\xff\xff\xff\xff', 'latin1'))))).rejects.toThrow(
      'too long',
    );
  });

  it('of another format is refused by name', async () => {
    const header = { ...HEADER, format: 'fairlead-dump-9' };
    const dump = closed(record('H', JSON.stringify(header)), record('T', '0'));
    await expect(verify(gzipSync(dump))).rejects.toThrow(
      'has the format fairlead-dump-9, and this version reads',
    );
  });

  it.each<[string, unknown]>([
    ['format', null],
    ['format', 'text'],
    ['migrations', { ...HEADER, migrations: [] }],
    ['migrations', { ...HEADER, migrations: 'One1' }],
    ['tables', { ...HEADER, tables: [] }],
    ['tables', { ...HEADER, tables: [{ schema: null, name: 7, columns: [] }] }],
    ['sequences', { ...HEADER, sequences: [{ schema: null, name: 's', value: '1; DROP', isCalled: true }] }],
  ])('is refused where its header has no right %s: %j', async (key, header) => {
    const dump = closed(record('H', JSON.stringify(header)), record('T', '0'));
    await expect(verify(gzipSync(dump))).rejects.toThrow(
      `is not a whole dump made by \`fairlead dump\`: its header has no right ${key}`,
    );
  });

  it('is refused where its header is no JSON, or a record is of another kind', async () => {
    await expect(verify(gzipSync(closed(record('H', '{'), record('T', '0'))))).rejects.toThrow(
      'no right format',
    );
    for (const kind of ['Z', 'H']) {
      const dump = closed(record('H', JSON.stringify(HEADER)), record(kind, '{}'), record('T', '0'));
      await expect(verify(gzipSync(dump))).rejects.toThrow(`it has a record of the kind ${kind}`);
    }
  });

  it('that is no file is named with the reason', async () => {
    await expect(verifyDump(folder)).rejects.toThrow(`Cannot read ${folder}: EISDIR`);
    await expect(verifyDump(join(folder, 'none'))).rejects.toThrow('none: ENOENT');
  });
});
