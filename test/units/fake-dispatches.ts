import { FakeDatabase } from './fake-database.js';
import type { Statement } from '../../src/database/index.js';
import type { StoredRecord } from '../../src/records/index.js';

/** The clock of the database. */
export const AT = new Date('2026-06-10T12:00:00Z');

/** A database that has records, knows the statements of dispatches, and notes them in short. */
export class FakeDispatches extends FakeDatabase {
  readonly records = new Map<string, StoredRecord>();
  readonly commits: boolean[] = [];
  /** What the log has, by id. */
  readonly entries = new Map<string, string>();
  /** The fields that each read has left out. */
  readonly unread: (readonly string[])[] = [];
  version: string | undefined = '1';
  /** Records that somebody else has locked. */
  held: readonly string[] = [];

  override async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const answer = this.answerTo(statement.name, values);
    if (answer === undefined) return super.query(statement, values);
    const { event, rows } = answer;
    if (event !== undefined) this.events.push(event);
    await Promise.resolve();
    return [...rows] as Row[];
  }

  override async queryLast<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const rows = await super.queryLast<Row>(statement, values);
    this.commits[this.commits.length - 1] = true;
    return rows;
  }

  private answerTo(
    name: string,
    values: readonly unknown[],
  ): { readonly event?: string; readonly rows: readonly unknown[] } | undefined {
    const [accountId, given, third, fourth] = values;
    const ids = (Array.isArray(given) ? given : []) as string[];
    switch (name) {
      case 'account_lock': {
        const rows = this.version === undefined ? [] : [{ config_version: this.version }];
        return { event: `lock ${String(accountId)}`, rows };
      }
      case 'dispatch_lock_records':
        this.held = [];
        return { event: `wait for ${ids.join()}`, rows: [] };
      case 'dispatch_read_and_lock':
        this.unread.push(fourth as string[]);
        return { event: `read ${String(third)} ${ids.join()}`, rows: this.rows(third as string[]) };
      case 'dispatch_read_existing': {
        const rows = ids.filter((id) => this.held.includes(id)).map((id) => ({ id, objectType: 'contacts' }));
        return { event: `look for ${ids.join()}`, rows };
      }
      case 'dispatch_write_assignments':
        expect(third).toEqual(AT);
        return this.write(values);
      default:
        return undefined;
    }
  }

  /** Each router has given 5 turns. */
  private rows(routers: readonly string[]): readonly unknown[] {
    const rotations = Object.fromEntries(routers.map((id) => [id, { seq: 5, rotations: {} }]));
    const microseconds = AT.getTime() * 1_000;
    const found = [...this.records.values()].filter(({ id }) => !this.held.includes(id));
    return [
      { id: null, rotations, microseconds },
      ...found.map((record) => ({ ...record, rotations: null, microseconds })),
    ];
  }

  /** Of what is written, the columns of the log: id, router, version, rule, step, record. */
  private write(values: readonly unknown[]): { readonly event: string; readonly rows: readonly unknown[] } {
    const [ids, routers, , , , objects] = values.slice(8) as string[][];
    this.commits.push(false);
    const byRouter = new Map<string, string[]>();
    objects?.forEach((object, n) => {
      this.entries.set(ids?.[n] ?? '', `entry of ${object}`);
      const router = routers?.[n] ?? '';
      byRouter.set(router, [...(byRouter.get(router) ?? []), object]);
    });
    const written = [...byRouter].map(([id, own]) => `${id} ${own.join()}`);
    return { event: `write ${written.join('; ')}`, rows: [] };
  }
}
