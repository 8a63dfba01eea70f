/** An address of a database, taken apart. */
export interface DatabaseAddress {
  /** As in the address: `name`, `name:5433`, `[::1]`, or the percent-encoded directory of a socket. */
  readonly hosts: readonly string[];
  /** Whether connections must lead to a server that accepts writes (`target_session_attrs=read-write`). */
  readonly wantsPrimary: boolean;
  /** Returns the address with one of the hosts only. */
  readonly at: (host: string) => string;
}

const TARGETS = ['any', 'read-write'];

/** Scheme; user, password and hosts; database; query. */
const PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*)([^?#]*)(?:\?([^#]*))?$/;

/**
 * Takes an address apart as libpq does: `postgres://user:password@a:5432,b:5433/name`, also with the lists
 * `host` and `port` in its query, which win. One port is that of all hosts.
 * @throws Error that says what is allowed, and shows nothing of the address
 */
export function readDatabaseAddress(address: string): DatabaseAddress {
  const [, scheme = '', authority = '', path = '', query = ''] = PARTS.exec(address) ?? [];
  const params = new URLSearchParams(query);
  const target = params.get('target_session_attrs') ?? 'any';
  if (!TARGETS.includes(target)) throw new Error(`target_session_attrs must be ${TARGETS.join(' or ')}`);
  const hostsAt = authority.lastIndexOf('@') + 1;
  const own = authority.slice(hostsAt).split(',').map(splitPort);
  const names = params.get('host')?.split(',').map(inAuthority) ?? own.map(([name]) => name);
  const ports = params.get('port')?.split(',') ?? own.map(([, port]) => port);
  if (ports.length > 1 && ports.length !== names.length)
    throw new Error('it must have one port, or as many as hosts');
  const wantsPrimary = target === 'read-write';
  const hosts = names.map((name, index) => {
    const port = ports[index] ?? ports[0] ?? '';
    return port === '' ? name : `${name}:${port}`;
  });
  if (hosts.length === 1) return { hosts, wantsPrimary, at: () => address };
  const others = query.split('&').filter((pair) => !/^(host|port)=/.test(pair));
  const rest = others.length === 0 ? path : `${path}?${others.join('&')}`;
  const at = (host: string): string => `${scheme}${authority.slice(0, hostsAt)}${host}${rest}`;
  return { hosts, wantsPrimary, at };
}

function splitPort(host: string): [name: string, port: string] {
  const portAt = host.indexOf(':', host.startsWith('[') ? host.indexOf(']') + 1 : 0);
  return portAt < 0 ? [host, ''] : [host.slice(0, portAt), host.slice(portAt + 1)];
}

/** A host of the query as it stands behind the user. */
function inAuthority(name: string): string {
  return name.includes(':') && !name.startsWith('/') ? `[${name}]` : encodeURIComponent(name);
}

/** Milliseconds for which a host that has given no connection is asked last. */
const ASKED_LAST_MS = 5_000;

/** Milliseconds for which nobody looks for a primary again: each look is a session of every standby. */
const PRIMARY_PAUSE_MS = 100;

/** The hosts of an address, and what connections have met there. */
export class Hosts {
  private readonly address: DatabaseAddress;
  /** When hosts last gave no connection, by the clock of `performance`. */
  private readonly failedAt = new Map<string, number>();
  /** What cuts the connections to each host. */
  private readonly open = new Map<string, Set<() => void>>();
  private turn = 0;
  private primary: string | undefined;
  private noPrimary: { readonly at: number; readonly error: Error } | undefined;

  /**
   * @param url an address with one or several hosts
   * @param options.spreads each connection begins with another host; else with the first
   * @throws Error as `readDatabaseAddress`
   */
  constructor(
    url: string,
    private readonly options: { readonly spreads: boolean; readonly now?: () => number },
  ) {
    this.address = readDatabaseAddress(url);
  }

  /** Each host, as in the address. */
  get all(): readonly string[] {
    return this.address.hosts;
  }

  /** Whether a connection has anything to choose or to check. */
  get isChoice(): boolean {
    return this.address.hosts.length > 1 || this.wantsPrimary;
  }

  get wantsPrimary(): boolean {
    return this.address.wantsPrimary;
  }

  /** Returns the address of a host; of the first unless one is given. */
  at(host = this.address.hosts[0] ?? ''): string {
    return this.address.at(host);
  }

  /**
   * Returns the hosts in the order in which a new connection asks them: the primary of before first, or
   * another one each time; those that failed lately last.
   */
  inOrder(): string[] {
    const { hosts, wantsPrimary } = this.address;
    const [usual, last] = [
      hosts.filter((host) => !this.hasFailed(host)),
      hosts.filter((host) => this.hasFailed(host)),
    ];
    const first = wantsPrimary ? usual.indexOf(this.primary ?? '') : this.options.spreads ? this.turn++ : 0;
    const start = Math.max(0, first) % Math.max(1, usual.length);
    return [...usual.slice(start), ...usual.slice(0, start), ...last];
  }

  /**
   * Notes that a host has given a connection that may be used. Where another one was the primary before, the
   * connections to that are cut: nobody answers over them, or they may not write.
   * @returns a function to call when the connection has ended
   */
  connected(host: string, cut: () => void): () => void {
    const before = this.primary;
    this.failedAt.delete(host);
    this.primary = host;
    this.noPrimary = undefined;
    const open = this.open.get(host) ?? new Set();
    this.open.set(host, open.add(cut));
    if (this.wantsPrimary && before !== undefined && before !== host)
      for (const each of this.open.get(before) ?? []) each();
    return () => open.delete(cut);
  }

  /** Notes that a host has given none. */
  failed(host: string): void {
    this.failedAt.set(host, this.now());
  }

  /** Notes that no host is the primary. */
  foundNoPrimary(error: Error): void {
    this.noPrimary = { at: this.now(), error };
  }

  /** Returns the error of whoever has found no primary a moment ago. */
  get recentFailure(): Error | undefined {
    return this.noPrimary !== undefined && this.now() - this.noPrimary.at < PRIMARY_PAUSE_MS
      ? this.noPrimary.error
      : undefined;
  }

  private hasFailed(host: string): boolean {
    return this.now() - (this.failedAt.get(host) ?? -Infinity) < ASKED_LAST_MS;
  }

  private now(): number {
    return (this.options.now ?? performance.now.bind(performance))();
  }
}
