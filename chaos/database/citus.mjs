// The nodes of the Citus cluster that CITUS_URLS names, which must run on this machine: they are killed and started.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import {
  createDatabase,
  dropDatabase,
  placeOf,
  postmasterOf,
} from '../../test/support/database/citus-databases.cjs';
import { require } from '../run/wait.mjs';
import { accepts, withClient } from './connect.mjs';

const DATABASE = 'fairlead_chaos';

/** Milliseconds in which a node that was killed accepts connections again. */
const START_MS = 60_000;

/** The addresses of the nodes, the coordinator first; none without a cluster. */
export const NODES = (process.env.CITUS_URLS ?? '').trim().split(/\s+/).filter(Boolean);

export class Citus {
  /** Makes an empty database on all nodes. */
  static async open(leftovers) {
    await createDatabase(DATABASE);
    leftovers.add(() => dropDatabase(DATABASE));
    const citus = new Citus();
    citus.nodes = NODES.map((url) => new URL(url));
    citus.processes = await Promise.all(citus.nodes.map((_, n) => citus.#processOf(n)));
    leftovers.add(() => Promise.all(citus.nodes.map((_, n) => citus.start(n))));
    return citus;
  }

  /** `DATABASE_URL` of some nodes, all unless given. @param places of nodes */
  url(places = this.nodes.keys()) {
    const url = new URL(this.nodes[0]);
    const hosts = [...places].map((n) => this.nodes[n].host).join(',');
    return `postgres://${url.username}${url.password && `:${url.password}`}@${hosts}/${DATABASE}`;
  }

  /** Options of a connection to a node, the coordinator unless given. */
  connection(_database, node = 0) {
    return { connectionString: this.url([node]) };
  }

  /** Runs statements on the coordinator. @returns the rows */
  ask(text, values) {
    return withClient(this.connection(), async (client) => (await client.query(text, values)).rows);
  }

  /** @returns the place of the node that has an account */
  nodeOf(slug) {
    return placeOf(this.url([0]), slug);
  }

  /** Kills all processes of a node at once. */
  kill(node) {
    const { pid } = this.processes[node];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/);
    for (const each of [pid, ...children.map(Number)]) kill(each);
  }

  /** Starts a node that was killed, as it was started before, and waits until it accepts connections. */
  async start(node) {
    if (await accepts(this.connection(undefined, node))) return;
    const { argv, env, uid, gid } = this.processes[node];
    const options = { env, uid, gid, cwd: '/', detached: true, stdio: 'ignore' };
    let ended = true;
    await require('Start of a node', async () => {
      if (ended) {
        ended = false;
        const child = spawn(argv[0], argv.slice(1), options).once('exit', () => (ended = true));
        child.unref();
        this.processes[node] = { argv, env, uid, gid, pid: child.pid };
      }
      return accepts(this.connection(undefined, node));
    }, { within: START_MS });
  }

  async #processOf(node) {
    const pid = await postmasterOf(this.url([node]));
    const [argv, settings] = ['cmdline', 'environ'].map((file) =>
      readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').filter(Boolean),
    );
    const env = Object.fromEntries(settings.map((each) => each.split(/=(.*)/s)));
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [uid, gid] = ['Uid', 'Gid'].map((name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]));
    return { pid, argv, env, uid, gid };
  }
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
