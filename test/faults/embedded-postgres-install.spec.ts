import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { IS_ROOT, NATIVE_PACKAGE, Workshop, ordinaryUser, query } from './embedded-support.js';

/** Owner of a process. */
function ownerOf(pid: number): number {
  return statSync(`/proc/${pid}`).uid;
}

describe('embedded PostgreSQL, by how it was installed', () => {
  const workshop = new Workshop();
  let project: string;
  let native: string;

  beforeEach(() => {
    project = workshop.install(workshop.folder());
    native = join(project, 'node_modules', NATIVE_PACKAGE, 'native');
  });
  afterEach(async () => {
    await workshop.stop();
    chmodSync(project, 0o755);
    if (existsSync(join(native, 'lib'))) chmodSync(join(native, 'lib'), 0o755);
    rmSync(project, { recursive: true });
  });
  afterAll(async () => workshop.remove());

  /** Removes what npm's --ignore-scripts leaves out, and returns the paths of the missing links. */
  function withoutScripts(): string[] {
    const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { target: string }[];
    const paths = links.map(({ target }) => join(dirname(native), target));
    for (const path of paths) rmSync(path, { force: true });
    for (const program of readdirSync(join(native, 'bin'))) chmodSync(join(native, 'bin', program), 0o644);
    return paths;
  }

  it('makes the links and rights that --ignore-scripts left out, from several processes at once', async () => {
    const links = withoutScripts();
    const folders = [workshop.folder(), workshop.folder(), workshop.folder()];
    const holders = folders.map((folder) => workshop.holder(project, { dataDir: join(folder, 'data') }));
    for (const holder of holders) expect((await holder.message('open')).fresh).toBe(true);
    await Promise.all(holders.map(async (holder) => holder.close()));
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(join(native, 'bin', 'postgres')).mode & 0o777).toBe(0o755);
    expect(readdirSync(join(native, 'lib')).filter((name) => /[\da-f]{12}$/.test(name))).toEqual([]);
  });

  it('runs from a copy where an ordinary user may not complete the package', async () => {
    withoutScripts();
    chmodSync(join(native, 'lib'), 0o555);
    const sharedDirs = [join(workshop.folder(ordinaryUser), 'shared')];
    const dataDir = workshop.folder(ordinaryUser);
    const holder = workshop.holder(project, { dataDir, sharedDirs }, { as: ordinaryUser });
    await holder.message('open');
    const [copy] = readdirSync(sharedDirs[0]!);
    const server = (await workshop.server(dataDir))!;
    expect(readFileSync(`/proc/${server}/cmdline`, 'utf8')).toContain(
      join(sharedDirs[0]!, copy!, 'bin', 'postgres'),
    );
    expect(ownerOf(server)).toBe(ordinaryUser?.uid ?? process.geteuid?.());
    await holder.close();
    expect(await workshop.server(dataDir)).toBeUndefined();
  });

  it('works in a project directory that the server may not enter', async () => {
    // For root, the folder contains data and programs. For any other user, the server runs as that user.
    const folder = join(project, 'private');
    mkdirSync(folder, { mode: 0o700 });
    chmodSync(project, 0o700);
    const base = workshop.folder();
    const taken = join(base, 'taken');
    mkdirSync(taken);
    chmodSync(taken, 0o777);
    const options = { dataDir: join(folder, 'data'), sharedDirs: [taken, join(base, 'shared')] };

    const holder = workshop.holder(project, options);
    const { url } = await holder.message('open');
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const server = (await workshop.server(options.dataDir))!;
    expect(ownerOf(server) === 0).toBe(false);
    await holder.kill();

    const adopter = workshop.holder(project, options);
    expect((await adopter.message('open')).url).toBe(url);
    expect(await workshop.server(options.dataDir)).toBe(server);
    await adopter.kill();
    await workshop.killServer(options.dataDir);

    const recovering = workshop.holder(project, options);
    expect(await query((await recovering.message('open')).url, 'TABLE kept')).toEqual([{ answer: 42 }]);
    await recovering.close();
    expect(await workshop.server(options.dataDir)).toBeUndefined();
    expect(readdirSync(taken)).toEqual([]);
    expect(existsSync(join(base, 'shared')) ? readdirSync(join(base, 'shared')).length : 0).toBe(
      IS_ROOT ? 1 : 0,
    );
  });

  it('runs as an ordinary user, and lets nobody but that user and root go on with the data', async () => {
    const dataDir = workshop.folder(ordinaryUser);
    const uid = ordinaryUser?.uid ?? process.geteuid?.();
    const holder = workshop.holder(project, { dataDir }, { as: ordinaryUser });
    await holder.message('open');
    expect(ownerOf((await workshop.server(dataDir))!)).toBe(uid);
    await holder.close();

    const database = await EmbeddedPostgres.open({ dataDir });
    expect(database.fresh).toBe(false);
    expect(ownerOf((await workshop.server(dataDir))!)).toBe(uid);
    await database.close();

    if (IS_ROOT) {
      chownSync(join(dataDir, 'postgres'), 1, 1);
      const stranger = workshop.holder(project, { dataDir }, { as: ordinaryUser });
      expect((await stranger.message('error')).message).toContain('belongs to another user (uid 1;');
      // The directory belongs to root, as after a restore. The start gives it to the server's user.
      chownSync(join(dataDir, 'postgres'), 0, 0);
      chownSync(join(dataDir, 'postgres', 'PG_VERSION'), 0, 0);
      const restored = await EmbeddedPostgres.open({ dataDir });
      expect(ownerOf((await workshop.server(dataDir))!)).not.toBe(0);
      await restored.close();
    }
  });

  it.each([
    ['below a directory that it may not enter', 0o700, 'data/deeper'],
    ['in a directory that it may not write', 0o755, 'data'],
  ])('names DATA_DIR when the data directory is %s', async (_, mode, path) => {
    const closed = workshop.folder();
    chmodSync(closed, IS_ROOT ? mode : mode & 0o055);
    const holder = workshop.holder(project, { dataDir: join(closed, path) }, { as: ordinaryUser });
    const { name, message } = await holder.message('error');
    expect([name, message]).toEqual(['EmbeddedPostgresError', expect.stringMatching(/\(DATA_DIR\).*EACCES/)]);
    chmodSync(closed, 0o755);
  });

  it('names DATA_DIR when a file is in the way, or the files there are not its own', async () => {
    const folder = workshop.folder();
    writeFileSync(join(folder, 'file'), '');
    await expect(EmbeddedPostgres.open({ dataDir: join(folder, 'file') })).rejects.toThrow(
      /\(DATA_DIR\).*ENOTDIR/,
    );
    await expect(EmbeddedPostgres.open({ dataDir: join(folder, 'file/data') })).rejects.toThrow(
      /\(DATA_DIR\).*ENOTDIR/,
    );
    mkdirSync(join(folder, 'postgres'));
    writeFileSync(join(folder, 'postgres', 'notes.txt'), '');
    await expect(EmbeddedPostgres.open({ dataDir: folder })).rejects.toThrow(
      /is not a PostgreSQL database.*DATA_DIR/,
    );
  });

  it('says what to do when npm left the package out', async () => {
    rmSync(join(project, 'node_modules', NATIVE_PACKAGE), { recursive: true });
    const holder = workshop.holder(project, { dataDir: workshop.folder() });
    const { name, message } = await holder.message('error');
    expect(name).toBe('EmbeddedPostgresError');
    expect(message).toMatch(/is not installed.*--omit=optional.*Linux \(glibc\) and macOS\..*DATABASE_URL/);
  });
});
