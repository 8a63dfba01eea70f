import { createHash } from 'node:crypto';
import { escapeIdentifier, type Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { CatalogTable } from './catalog.js';
import { MAX_CONTENT, RECORD, encodeRecord, nameOf, type DumpHeader } from './dump-format.js';

/** The number of rows of a table. */
export interface TableRows {
  readonly table: string;
  readonly rows: number;
}

/** What is dumped, and a list that receives the number of rows of each table. */
export interface DumpJob {
  readonly header: DumpHeader;
  readonly tables: readonly CatalogTable[];
  readonly written: TableRows[];
}

const NEWLINE = 10;

/** Reads the tables one after the other, and gives the bytes of a dump as they come. */
export async function* dumpRecords(
  client: Client,
  { header, tables, written }: DumpJob,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const record = (kind: string, content: Buffer): Buffer => {
    const bytes = encodeRecord({ kind, content });
    hash.update(bytes);
    return bytes;
  };
  yield record(RECORD.header, Buffer.from(JSON.stringify(header)));
  for (const table of tables) {
    let rows = 0;
    const stream: AsyncIterable<Buffer> = client.query(copyTo(copyStatement(table)));
    for await (const chunk of stream) {
      rows += countRows(chunk);
      for (let from = 0; from < chunk.length; from += MAX_CONTENT) {
        yield record(RECORD.rows, chunk.subarray(from, from + MAX_CONTENT));
      }
    }
    written.push({ table: nameOf(table), rows });
    yield record(RECORD.tableEnd, Buffer.from(String(rows)));
  }
  yield encodeRecord({ kind: RECORD.end, content: Buffer.from(hash.digest('hex')) });
}

/** Counts the rows that end in a part of COPY's text format, in which every newline ends a row. */
function countRows(chunk: Buffer): number {
  let rows = 0;
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) rows += 1;
  return rows;
}

function copyStatement({ sql, columns, isPartitioned }: CatalogTable): string {
  const list = columns.map((column) => escapeIdentifier(column)).join(', ');
  return `COPY (SELECT ${list} FROM ${isPartitioned ? '' : 'ONLY '}${sql}) TO STDOUT`;
}
