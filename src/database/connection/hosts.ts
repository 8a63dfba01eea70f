import { type DatabaseAddress, readDatabaseAddress } from './database-address.js';

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
