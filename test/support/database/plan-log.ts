import type { Client, Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { TestService } from '../test-service.js';

/** Settings of auto_explain, which the server of the test run has loaded. */
const SETTINGS = Object.entries({
  log_min_duration: '0',
  log_analyze: 'on',
  log_timing: 'off',
  log_format: 'json',
  log_level: 'notice',
  log_nested_statements: 'on',
});

/** What a statement has read, in the way that EXPLAIN ANALYZE counts it. */
export interface StatementReads {
  readonly text: string;
  /** Rows of tables, and entries of indexes, also those that a condition left out. */
  readonly rows: number;
}

/** A node of a plan, as EXPLAIN has it. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows that a plan has read of tables and indexes. Counts are means of the loops. */
function rowsOf(node: PlanNode): number {
  const isScan = node['Relation Name'] !== undefined || node['Index Name'] !== undefined;
  const isRead = isScan && /Scan$/.test(node['Node Type']);
  const each =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  const own = isRead ? Math.round(each * (node['Actual Loops'] ?? 0)) : 0;
  return own + (node.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), 0);
}

/** Reports what all statements of a service have read, also those of triggers and functions. */
export class PlanLog {
  private reads: StatementReads[] = [];

  private constructor(private readonly pool: Pool & { readonly _clients: readonly Client[] }) {}

  /** Has the sessions of a service report their plans. */
  static async of(service: TestService): Promise<PlanLog> {
    const { master } = service.app.get(DataSource).driver as unknown as { master: PlanLog['pool'] };
    const log = new PlanLog(master);
    const listen = async (client: Client): Promise<void> => {
      client.on('notice', ({ message }) => log.note(message ?? ''));
      await client.query(SETTINGS.map(([name, value]) => `SET auto_explain.${name} = ${value}`).join(';'));
    };
    for (const client of master._clients) await listen(client);
    master.on('connect', (client) => void listen(client as unknown as Client));
    return log;
  }

  /** Returns what was read since it was asked before. */
  take(): readonly StatementReads[] {
    const reads = this.reads;
    this.reads = [];
    return reads;
  }

  /** Sends a statement over every connection. */
  async everywhere(text: string): Promise<void> {
    for (const client of this.pool._clients) await client.query(text);
  }

  /** The names of all statements that connections have prepared, by their texts. */
  async names(): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    for (const client of this.pool._clients) {
      const { rows } = await client.query<{ name: string; statement: string }>(
        'SELECT name, statement FROM pg_prepared_statements',
      );
      for (const { name, statement } of rows) names.set(statement, name);
    }
    return names;
  }

  private note(message: string): void {
    const start = message.indexOf('plan:\n');
    if (start < 0) return;
    const { 'Query Text': text, Plan: plan } = JSON.parse(message.slice(start + 'plan:\n'.length)) as {
      'Query Text': string;
      Plan: PlanNode;
    };
    this.reads.push({ text, rows: rowsOf(plan) });
  }
}
