import { Logger } from '@nestjs/common';
import type { Pool, PoolClient, PoolConfig } from 'pg';
import { poolBeside } from '../driver/driver.js';
import { isOfStandby, reach } from '../driver/hosts-client.js';
import { DatabaseUnavailableError, errorCode, reasonOf } from '../errors.js';
import type { Statement } from '../queryable.js';
import { Connections } from './connections.js';
import { DatabaseProbe } from './database.probe.js';
import type { Deadline } from './deadline.js';
import type { Hosts } from './hosts.js';
import type { NodeUse } from './node-use.js';

/** Milliseconds in which a node must connect, and then answer. */
const PATIENCE_MS = 1_900;

/** What a pool of one host has not. */
const ANY_HOST: PoolConfig & { hosts: undefined } = { Client: undefined, hosts: undefined };

/** Class of the codes of a server that has not enough of something, such as connections. */
const BUSY = /^53/;

/** How the cluster calls the node of a host now, and whether it is a standby of it. */
const WHICH: Statement = {
  name: 'node_which',
  text: `SELECT n.nodename || ':' || n.nodeport AS name, pg_is_in_recovery() AS "isStandby"
    FROM pg_dist_local_group l JOIN pg_dist_node n USING (groupid) WHERE n.noderole = 'primary'`,
};

/** The parts into which the accounts are cut, by the least hash of each, and the node that has it. */
const PARTS: Statement = {
  name: 'node_parts',
  text: `SELECT s.shardminvalue::int AS least, n.nodename || ':' || n.nodeport AS name
    FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid) JOIN pg_dist_node n USING (groupid)
    WHERE s.logicalrelid = 'accounts'::regclass AND n.noderole = 'primary' ORDER BY 1`,
};

interface Part {
  readonly least: number;
  /** Of the node, as the cluster calls it. */
  readonly name: string;
}

/** A host of the address, with connections of its own. */
class Node {
  /** Until it has told another one, that of the address. */
  name: string;
  isAway = false;
  isStandby = false;
  readonly connections: Connections;
  readonly pool: Pool;
  readonly probe: DatabaseProbe;

  constructor(
    readonly host: string,
    general: Pool,
    { url, onAnswer }: { readonly url: string; readonly onAnswer: () => void },
  ) {
    this.name = /:\d+$/.test(host) ? host : `${host}:5432`;
    this.pool = poolBeside(general, { ...ANY_HOST, ...reach(url) });
    this.connections = new Connections(this.pool, onAnswer);
    this.probe = new DatabaseProbe(this.pool, PATIENCE_MS);
  }

  /** Asks which node it is. @returns whether it has answered */
  async learn(logger: Logger): Promise<boolean> {
    try {
      const [told] = await this.probe.ask<{ name: string; isStandby: boolean }>(WHICH);
      this.name = told?.name ?? this.name;
      this.isStandby = told?.isStandby ?? false;
      if (this.isAway) logger.warn(`Node ${this.host} serves again`);
      this.isAway = false;
    } catch (error) {
      this.isStandby = isOfStandby((error as DatabaseUnavailableError).cause);
      // One that is busy has not answered this question, and may answer others.
      if (this.isStandby || BUSY.test(errorCode(error) ?? '')) return false;
      if (!this.isAway) logger.error(`Node ${this.host} is away: ${reasonOf(error)}`);
      this.isAway = true;
    }
    return !this.isAway;
  }
}

/**
 * The connections of a database: of all work alike, or, on a cluster of which the address names several
 * hosts, of each account to the node that has it. Which one that is, is a hint: any node gives the right
 * answer.
 */
export class Nodes {
  private readonly logger = new Logger('Database');
  private nodes: readonly Node[] = [];
  private parts: readonly Part[] = [];
  /** Those of the pool, to any host. */
  private readonly anywhere: Connections;

  /**
   * @param pool undefined for a data source that is not connected
   * @param onAnswer as of `Connections`
   */
  constructor(
    private readonly pool: Pool | undefined,
    private readonly onAnswer: () => void,
  ) {
    this.anywhere = new Connections(pool, onAnswer);
  }

  /** The hosts of the address where it has several. */
  get hosts(): Hosts | undefined {
    const { hosts } = (this.pool?.options ?? {}) as { hosts?: Hosts };
    return hosts !== undefined && hosts.all.length > 1 ? hosts : undefined;
  }

  /** Asks the nodes of a cluster which accounts they have, and whether they answer. */
  async learn(): Promise<void> {
    const { pool, onAnswer, hosts } = this;
    if (pool === undefined || hosts === undefined) return;
    if (this.nodes.length === 0)
      this.nodes = hosts.all.map((host) => new Node(host, pool, { url: hosts.at(host), onAnswer }));
    const answers = await Promise.all(this.nodes.map((node) => node.learn(this.logger)));
    const first = this.nodes.find((_node, index) => answers[index]);
    if (first !== undefined) this.parts = await first.probe.ask<Part>(PARTS).catch(() => this.parts);
  }

  /** What is known of each node; none unless connections go to the nodes of accounts. */
  get use(): NodeUse[] {
    return this.primaries.map(({ host, name, isAway, pool }) => ({
      host: decodeURIComponent(host),
      name,
      isAway,
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }));
  }

  /**
   * Takes a connection, to the node of an account where that is known.
   * @throws DatabaseUnavailableError, also when there is no time left for a statement, or the node is away
   */
  take(deadline: Deadline, accountId: string | undefined): Promise<PoolClient> {
    const node = accountId === undefined ? undefined : this.nodeOf(accountId);
    if (node?.isAway === true)
      return Promise.reject(new DatabaseUnavailableError(new Error(`Node ${node.host} is away`), false));
    return (node?.connections ?? this.anywhere).take(deadline);
  }

  /** As of `Connections`. */
  failed(...[client, ...how]: Parameters<Connections['failed']>): unknown {
    const node = this.nodes.find(({ connections }) => connections.has(client));
    return (node?.connections ?? this.anywhere).failed(client, ...how);
  }

  private get primaries(): readonly Node[] {
    return this.nodes.filter(({ isStandby }) => !isStandby);
  }

  /** Closes the connections to nodes. */
  async close(): Promise<void> {
    await Promise.all(this.nodes.flatMap(({ pool, probe }) => [pool.end(), probe.close()]));
  }

  private nodeOf(accountId: string): Node | undefined {
    if (this.parts.length === 0) return undefined;
    const hash = uuidHash(accountId);
    const part = this.parts.findLast(({ least }) => least <= hash);
    // A node and its standby have one name. After a failover, that which answers has the account.
    const hosts = this.primaries.filter(({ name }) => name === part?.name);
    return hosts.find(({ isAway }) => !isAway) ?? hosts[0];
  }
}

const rotated = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

/** The rotations of lookup3, of its rounds and of its end. */
const ROUNDS = [4, 6, 8, 16, 19, 4];
const END = [14, 11, 25, 16, 4, 14, 24];

/**
 * Returns what PostgreSQL's `uuid_hash` returns on a little-endian machine, by which a cluster cuts its
 * tables: Jenkins's lookup3 of 16 bytes (`hash_bytes` in PostgreSQL's src/common/hashfn.c).
 */
export function uuidHash(id: string): number {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  const word = (index: number): number => bytes.readInt32LE(4 * index);
  const start = (0x9e3779b9 + bytes.length + 3_923_095) | 0;
  let [a, b, c] = [(start + word(0)) | 0, (start + word(1)) | 0, (start + word(2)) | 0];
  // The three take turns: after each step, the next one is in the place of the one that was changed.
  for (const bits of ROUNDS) [a, b, c] = [b, (c + b) | 0, ((a - c) ^ rotated(c, bits)) | 0];
  a = (a + word(3)) | 0;
  for (const bits of END) [a, b, c] = [b, ((c ^ b) - rotated(b, bits)) | 0, a];
  return b;
}
