import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { escapeIdentifier, type Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { nameOf } from './dump-format.js';
import type { CatalogTable } from './catalog.js';
import { refusedRows } from './refused-rows.js';

/** A table into which rows are being copied. */
export class LoadedTable {
  private readonly stream: ReturnType<typeof copyFrom>;
  /** Ends with the copying, good or bad. */
  private readonly finished: Promise<void>;
  private failure: unknown;

  constructor(
    client: Client,
    private readonly table: CatalogTable,
  ) {
    const columns = table.columns.map((column) => escapeIdentifier(column)).join(', ');
    const list = columns === '' ? '' : ` (${columns})`;
    this.stream = client.query(copyFrom(`COPY ${table.sql}${list} FROM STDIN`));
    this.finished = finished(this.stream).catch((error: unknown) => {
      throw refusedRows(error, `the rows of the table ${nameOf(table)}`);
    });
    // An error is reported by the next call.
    this.finished.catch((error: unknown) => (this.failure = error));
    this.stream.on('error', () => undefined);
  }

  /** Copies a part of the rows, and waits while the database has enough to do. @throws its error */
  async write(rows: Buffer): Promise<void> {
    this.requireSound();
    if (this.stream.write(rows)) return;
    await Promise.race([once(this.stream, 'drain').catch(() => this.finished), this.finished]);
  }

  /**
   * Ends the copying.
   * @param expected number of rows
   * @returns the number of rows
   * @throws Error of the database, or when another number of rows was copied
   */
  async end(expected: number): Promise<number> {
    this.requireSound();
    this.stream.end();
    await this.finished;
    if (this.stream.rowCount === expected) return expected;
    const copied = this.stream.rowCount;
    throw new Error(`The table ${nameOf(this.table)} got ${copied} rows of ${expected} in the dump`);
  }

  private requireSound(): void {
    if (this.failure !== undefined) throw this.failure as Error;
  }
}
