import { transformFileSync } from '@swc/core';
import { execFileSync, fork } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { type ServiceAccount, parsePasswd } from '../../src/database/embedded/account.js';
import { platformPackage } from '../../src/database/embedded/binaries.js';
import { type EmbeddedOptions, EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { parsePostmasterPid, processState } from '../../src/database/embedded/data-dir.js';
import { copyOf } from '../support/database/test-cluster.cjs';
import { HOLDER, Holder } from './embedded-holder.js';
import { waitFor } from '../support/wait-for.js';

export const IS_ROOT = process.geteuid?.() === 0;

/**
 * An ordinary user to run processes as. Undefined (the user of this process) unless the tests run as root.
 */
export const ordinaryUser: ServiceAccount | undefined = IS_ROOT
  ? parsePasswd(readFileSync('/etc/passwd', 'utf8')).find(({ name }) => name === 'nobody')
  : undefined;

const DATABASE = join(__dirname, '../../src/database');
const NODE_MODULES = join(__dirname, '../../node_modules');
export const NATIVE_PACKAGE = platformPackage();

function copyPackage(name: string, from: string, target: string): void {
  const destination = join(target, name);
  if (existsSync(destination)) return;
  let folder = from;
  while (!existsSync(join(folder, 'node_modules', name, 'package.json'))) folder = dirname(folder);
  const source = realpathSync(join(folder, 'node_modules', name));
  mkdirSync(dirname(destination), { recursive: true });
  execFileSync('cp', ['-a', '--reflink=auto', source, destination]);
  rmSync(join(destination, 'node_modules'), { recursive: true, force: true });
  const { dependencies } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  for (const dependency of Object.keys(dependencies ?? {})) copyPackage(dependency, source, target);
}

/**
 * A temporary directory with an installed copy of src/database/embedded, its data directories, and the
 * processes that use them.
 */
export class Workshop {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-embedded-')));
  private readonly holders: Holder[] = [];
  private readonly dataDirs = new Set<string>();
  private count = 0;

  constructor() {
    chmodSync(this.base, 0o755);
  }

  /** Creates a folder that `owner` may write in. */
  folder(owner?: ServiceAccount): string {
    const path = join(this.base, `folder-${(this.count += 1)}`);
    mkdirSync(path);
    chmodSync(path, 0o755);
    if (owner) chownSync(path, owner.uid, owner.gid);
    return path;
  }

  /** A data directory that does not exist yet; `stop` ends its server. */
  dataDir(): string {
    const path = join(this.folder(), 'data');
    this.dataDirs.add(path);
    return path;
  }

  /**
   * A data directory whose database has the table `kept` with the answer 42, and no running server.
   * @param within a path in the data directory of which it is a part
   */
  async keptDataDir(within = ''): Promise<string> {
    const dataDir = join(this.dataDir(), within);
    mkdirSync(dirname(dataDir), { recursive: true });
    await copyOf('kept', dataDir, async (made) => {
      const database = await EmbeddedPostgres.open({ dataDir: made });
      await query(database.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
      await database.close();
      rmSync(join(made, 'postgres.log'));
    });
    return dataDir;
  }

  /** Installs the copy and the packages it needs in `folder`, readable by everybody. */
  install(folder: string, withNative = true): string {
    const sources = ['embedded', 'driver'].flatMap((room) => {
      mkdirSync(join(folder, room));
      return readdirSync(join(DATABASE, room)).map((name) => join(room, name));
    });
    for (const file of [...sources, 'errors.ts', 'files.ts']) {
      if (!file.endsWith('.ts') || file.endsWith('.spec.ts')) continue;
      const { code } = transformFileSync(join(DATABASE, file), {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        module: { type: 'commonjs' },
        swcrc: false,
      });
      writeFileSync(join(folder, file.replace(/\.ts$/, '.js')), code);
    }
    writeFileSync(join(folder, 'holder.js'), HOLDER);
    const packages = ['pg', 'proper-lockfile', ...(withNative ? [NATIVE_PACKAGE] : [])];
    for (const name of packages) copyPackage(name, dirname(NODE_MODULES), join(folder, 'node_modules'));
    return folder;
  }

  holder(
    project: string,
    options: EmbeddedOptions,
    {
      as,
      mode = '',
      temporary = tmpdir(),
    }: { as?: ServiceAccount | undefined; mode?: string; temporary?: string } = {},
  ): Holder {
    this.dataDirs.add(options.dataDir);
    const child = fork(join(project, 'holder.js'), [JSON.stringify({ options, mode })], {
      cwd: '/',
      detached: true,
      execArgv: [],
      env: { ...process.env, TMPDIR: temporary },
      ...(as ? { uid: as.uid, gid: as.gid } : {}),
    });
    const holder = new Holder(child);
    this.holders.push(holder);
    return holder;
  }

  /** Process id of the server of a data directory, if one runs. */
  async server(dataDir: string): Promise<number | undefined> {
    const cluster = join(dataDir, 'postgres');
    const file = join(cluster, 'postmaster.pid');
    const pid = existsSync(file) ? parsePostmasterPid(readFileSync(file, 'utf8'), cluster)?.pid : undefined;
    return pid !== undefined && (await processState(pid, cluster)) === 'ours' ? pid : undefined;
  }

  /** Kills the server of a data directory by SIGKILL, and waits until it has ended. */
  async killServer(dataDir: string): Promise<void> {
    const pid = await this.server(dataDir);
    if (pid === undefined) return;
    process.kill(pid, 'SIGKILL');
    // A process that uses it may have started another one already.
    await waitFor('end of the server', async () => (await this.server(dataDir)) !== pid);
  }

  /** Ends every process of this workshop. */
  async stop(): Promise<void> {
    await Promise.all(this.holders.splice(0).map(async (holder) => holder.kill()));
    for (const dataDir of this.dataDirs) await this.killServer(dataDir);
    this.dataDirs.clear();
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.base, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs one statement on a connection of its own. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
