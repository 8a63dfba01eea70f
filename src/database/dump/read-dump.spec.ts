import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { DUMP_FORMAT } from './dump-header.js';
import { readDump, verifyDump } from './read-dump.js';

const MIB = 1024 * 1024;

const HEADER = {
  format: DUMP_FORMAT,
  fairlead: 'test',
  createdAt: '2026-11-22T00:00:00.000Z',
  migrations: ['One1'],
  tables: [
    { schema: null, name: 'kept', columns: ['text'] },
    { schema: 'other', name: 'empty', columns: ['text'] },
    { schema: null, name: 'last', columns: ['text'] },
  ],
  sequences: [{ schema: null, name: 'numbers', value: '-7', isCalled: true }],
};

/** Returns a dump with these lines behind its header. */
const dump = (header: unknown, ...lines: string[]): string =>
  `${[JSON.stringify(header), ...lines].join('\n')}\n`;

/** Rows that end, and begin, with what looks most like the line behind them. */
const ROW = '\\\\.\t7\\\\';
const ROWS = `${ROW}\n`.repeat(50_000);
const SOUND = dump(HEADER, ...ROWS.trimEnd().split('\n'), '\\.50000', '\\.0', ROW, '\\.1');

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

  /** Reads the rows of each table, and their number. */
  const read = (): Promise<[string, number][]> =>
    readDump(path, async ({ header, rows }) => {
      const tables: [string, number][] = [];
      for (const _ of header.tables) {
        let text = '';
        const parts = rows();
        let part = await parts.next();
        for (; part.done !== true; part = await parts.next()) text += part.value.toString();
        tables.push([text, part.value]);
      }
      return tables;
    });

  it('is read as it was written, wherever its parts end', async () => {
    const tables = [
      [ROWS, 50_000],
      ['', 0],
      [`${ROW}\n`, 1],
    ];
    expect(await verify(gzipSync(SOUND))).toEqual(HEADER);
    expect(await read()).toEqual(tables);
    for (const size of [1, 2, 3, 5, 1024]) {
      // Each part of the file is a file of gzip, whose contents come alone.
      const text = dump(HEADER, 'a', '\\.1', '\\.0', ROW, '\\.1');
      const parts = text.match(new RegExp(`[^]{1,${size}}`, 'g'));
      await writeFile(path, Buffer.concat(parts!.map((part) => gzipSync(part))));
      expect(await read()).toEqual([['a\n', 1], ...tables.slice(1)]);
    }
  });

  it('is refused wherever it is cut', async () => {
    const whole = gzipSync(SOUND);
    for (let length = 0; length < whole.length; length += 7) {
      await expect(verify(whole.subarray(0, length))).rejects.toThrow(/^\S+dump is not a whole dump made by/);
    }
    for (const length of [0, 1, 5, 200, 600, 1_000, SOUND.length - 5, SOUND.length - 2, SOUND.length - 1]) {
      await expect(verify(gzipSync(SOUND.slice(0, length)))).rejects.toThrow(/is not a whole dump/);
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
  });

  it.each<[string, string, string]>([
    ['lacks a table', dump(HEADER), 'it lacks a table'],
    ['lacks the last table', dump(HEADER, 'a', '\\.1', '\\.0'), 'it lacks a table'],
    ['has no header', dump([]).slice(1), 'it has no header'],
    ['has a header that does not end', JSON.stringify(HEADER), 'it has no header'],
    ['has a number that does not end', dump(HEADER, '\\.1').trimEnd(), 'it lacks the number of rows'],
    ['has a number that is none', dump(HEADER, 'a', '\\.x', '\\.0', '\\.0'), 'it lacks the number of rows'],
    ['has a number without end', dump(HEADER, `\\.${'1'.repeat(9_999)}`), 'it lacks the number of rows'],
    ['goes on behind its last table', SOUND + '\\.0\n', 'something follows its last table'],
  ])('that %s is refused', async (_, text, reason) => {
    await expect(verify(gzipSync(text))).rejects.toThrow(reason);
  });

  it('of another format is refused by name', async () => {
    const header = { ...HEADER, format: 'fairlead-dump-9' };
    await expect(verify(gzipSync(dump(header, '\\.0')))).rejects.toThrow(
      'has the format fairlead-dump-9, and this version reads',
    );
  });

  it.each<[string, unknown]>([
    ['format', null],
    ['format', 'text'],
    ['format', { ...HEADER, format: 'fairlead-dump-2\n\u001b[31mred' }],
    ['fairlead', { ...HEADER, fairlead: 'x'.repeat(1_000) }],
    ['migrations', { ...HEADER, migrations: [] }],
    ['migrations', { ...HEADER, migrations: 'One1' }],
    ['tables', { ...HEADER, tables: [] }],
    ['tables', { ...HEADER, tables: [{ schema: null, name: 7, columns: [] }] }],
    ['tables', { ...HEADER, tables: [[]] }],
    ['tables', { ...HEADER, tables: [{ name: 'a', columns: ['id'] }] }],
    ['tables', { ...HEADER, tables: [{ schema: null, name: 'a\0b', columns: ['id'] }] }],
    ['tables', { ...HEADER, tables: [{ schema: null, name: '', columns: ['id'] }] }],
    ['tables', { ...HEADER, tables: [{ schema: null, name: 'a', columns: [''] }] }],
    ['sequences', { ...HEADER, sequences: [{ schema: null, name: 's', value: '1; DROP', isCalled: true }] }],
  ])('is refused where its header has no right %s: %j', async (key, header) => {
    await expect(verify(gzipSync(dump(header, '\\.0')))).rejects.toThrow(
      `is not a whole dump made by \`fairlead dump\`: its header has no right ${key}`,
    );
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
    ['gzip of a text', gzipSync('accounts:\n  - slug: acme\n'), 'it has no header'],
    ['gzip of nothing', gzipSync(''), 'it has no header'],
    [
      'gzip whose contents are damaged',
      Buffer.concat([gzipSync(SOUND).subarray(0, 10), Buffer.alloc(99, 255)]),
      'its compressed contents are damaged',
    ],
    ['zero bytes in great number', gzipSync(Buffer.alloc(4 * MIB)), 'it has no header'],
    [
      'zero bytes behind a header',
      gzipSync(Buffer.concat([Buffer.from(dump(HEADER)), Buffer.alloc(4 * MIB)])),
      'it lacks a table',
    ],
  ])('is refused in plain words where the file holds %s', async (_, content, reason) => {
    await expect(verify(content)).rejects.toThrow(
      `${path} is not a whole dump made by \`fairlead dump\`: ${reason}`,
    );
  });

  it('of any size is read in the memory of some parts', async () => {
    const row = 'r'.repeat(24 * MIB);
    await writeFile(path, gzipSync(dump(HEADER, row, '\\.1', '\\.0', '\\.0'), { level: 1 }));
    const held: number[] = [];
    await readDump(path, async ({ header, rows }) => {
      const parts: WeakRef<ArrayBufferLike>[] = [];
      for (const _ of header.tables) {
        for await (const part of rows()) {
          parts.push(new WeakRef(part.buffer));
          // What is referred to weakly stays until the end of the turn.
          if (parts.length % 16 === 0) await new Promise(setImmediate);
          if (parts.length % 16 === 0) held.push(heldBytes(parts));
        }
      }
    });
    expect(held.length).toBeGreaterThan(5);
    expect(Math.max(...held)).toBeLessThan(8 * MIB);
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
