import { createHash, Hash } from 'node:crypto';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { DUMP_FORMAT, encodeRecord, MAX_CONTENT } from './dump-format.js';
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
    ['format', { ...HEADER, format: 'fairlead-dump-1\n\u001b[31mred' }],
    ['fairlead', { ...HEADER, fairlead: 'x'.repeat(1_000) }],
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

  it('that cannot be read is named with the reason', async () => {
    await expect(verifyDump(folder)).rejects.toThrow(
      `Cannot read ${folder}: it is a folder, and a dump is a file made by \`fairlead dump\``,
    );
    await expect(verifyDump('/dev/null')).rejects.toThrow('it is a pipe or a device, and a dump is a file');
    await expect(verifyDump(join(folder, 'none'))).rejects.toThrow('none: there is no such file (ENOENT)');
    await writeFile(path, '');
    await expect(verifyDump(join(path, 'none'))).rejects.toThrow(
      'a part of that path is a file, not a folder',
    );
    await symlink(join(folder, 'circle'), join(folder, 'circle'));
    await expect(verifyDump(join(folder, 'circle'))).rejects.toThrow('symbolic links lead in a circle');
  });

  it.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'it ends too early'],
    ['a part of the head of gzip', gzipSync(SOUND).subarray(0, 5), 'it ends too early'],
    ['text', Buffer.from('accounts: []'), 'it is no file of gzip'],
    ['an archive of pg_dump', Buffer.from('PGDMP\x01\x0f\0\x04\x08'), 'it is no file of gzip'],
    ['gzip of a text', gzipSync('accounts:\n  - slug: acme\n'), 'a record is too long'],
    ['gzip of nothing', gzipSync(''), 'it has no end'],
    [
      'gzip whose contents are damaged',
      Buffer.concat([gzipSync(SOUND).subarray(0, 10), Buffer.alloc(99, 255)]),
      'its compressed contents are damaged',
    ],
    ['zero bytes in great number', gzipSync(Buffer.alloc(4 * MAX_CONTENT)), 'it has no header'],
    [
      'zero bytes behind a header',
      gzipSync(Buffer.concat([record('H', JSON.stringify(HEADER)), Buffer.alloc(4 * MAX_CONTENT)])),
      'it has a record of the kind 0',
    ],
  ])('is refused in plain words where the file holds %s', async (_, content, reason) => {
    await expect(verify(content)).rejects.toThrow(
      `${path} is not a whole dump made by \`fairlead dump\`: ${reason}`,
    );
  });

  it('of any size is verified in the memory of some records', async () => {
    const row = Buffer.from('row\n'.repeat(MAX_CONTENT / 4));
    const records = Array<Buffer>(24).fill(encodeRecord({ kind: 'D', content: row }));
    const dump = closed(record('H', JSON.stringify(HEADER)), ...records, record('T', '0'));
    await writeFile(path, gzipSync(dump, { level: 1 }));
    // Each part that is read passes through a hash.
    const read: WeakRef<ArrayBufferLike>[] = [];
    const held: number[] = [];
    const prototype = Hash.prototype as { update: (this: Hash, data: Buffer) => Hash };
    const { update } = prototype;
    const hash = jest.spyOn(Hash.prototype, 'update');
    hash.mockImplementation(function (this: Hash, part: Buffer): Hash {
      hash.mockClear();
      read.push(new WeakRef(part.buffer));
      if (read.length % 8 === 0) setImmediate(() => held.push(heldBytes(read)));
      return update.call(this, part);
    } as Hash['update']);
    expect(await verifyDump(path)).toEqual(HEADER);
    hash.mockRestore();
    expect(read).toHaveLength(2 * (records.length + 2));
    expect(held.length).toBeGreaterThan(5);
    expect(Math.max(...held)).toBeLessThan(8 * MAX_CONTENT);
  });
});

/** Bytes of what is still held of this memory. */
function heldBytes(memory: readonly WeakRef<ArrayBufferLike>[]): number {
  collectGarbage();
  const held = new Set(memory.map((each) => each.deref()));
  return [...held].reduce((sum, each) => sum + (each?.byteLength ?? 0), 0);
}

/** Collects garbage, which Node.js shows where it is asked for only. */
const collectGarbage = ((): (() => void) => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
})();
