import { loadModule, parseSync, type Node, type RawStmt } from 'libpg-query';
import { Client, DatabaseError } from 'pg';
import { findInSchema, readCatalog, type Catalog } from './catalog.js';
import { judge, type Finding } from './judge.js';
import { isNode, listOf, nodesOf, parseNodeTree, wordOf, type TreeNode } from './node-tree.js';
import { walk } from './mutability.js';

/** What PostgreSQL sends the trees of statements by. */
const TREES = `SET client_min_messages = log; SET debug_print_rewritten = on; SET debug_pretty_print = off`;
const TREE = 'rewritten parse tree:';

const QUERIES = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'];

/** Functions that know one node only, by the beginning of their names. */
const OF_ONE_NODE: Readonly<Record<string, string>> = {
  pg_advisory: 'locks on one node only',
  pg_try_advisory: 'locks on one node only',
  pg_notify: 'is heard on one node only',
  pg_xact_status: 'knows the transactions of one node only',
  pg_current_xact_id: 'gives a number of one node',
  pg_current_snapshot: 'knows the transactions of one node only',
  nextval: 'counts on each node for itself',
};

/** Settings of a session that tell only how fast a statement is. */
const FOR_SPEED = /^(client_connection_check_interval|tcp_|enable_|jit$)/;

/** Judges statements by the schema of a database. */
export class StatementJudge {
  private trees: string[] = [];

  private constructor(
    private readonly client: Client,
    private readonly catalog: Catalog,
  ) {
    client.on('notice', ({ message, detail }) => {
      if (message === TREE && detail !== undefined) this.trees.push(detail);
    });
  }

  /** @param connectionString of a database with all migrations */
  static async open(connectionString: string): Promise<StatementJudge> {
    await loadModule();
    const client = new Client({ connectionString });
    await client.connect();
    const made = new StatementJudge(client, await readCatalog(client));
    await client.query(TREES);
    return made;
  }

  close(): Promise<void> {
    return this.client.end();
  }

  /**
   * Returns why a text does not reach one shard; undefined where PostgreSQL refuses it by this schema: a test
   * has tables of its own, and statements that are to fail.
   */
  async judge(text: string): Promise<readonly Finding[] | undefined> {
    const findings: Finding[] = [];
    const parts = partsOf(text);
    if (parts === undefined) return undefined;
    for (const part of parts) {
      const [kind, details] = Object.entries(part.node)[0] as [string, Record<string, unknown>];
      if (!QUERIES.includes(kind)) {
        findings.push(...judgeOther(kind, details));
        continue;
      }
      const tree = await this.treeOf(part.text);
      if (tree === undefined) return undefined;
      findings.push(...judge(tree, this.catalog), ...this.judgeFunctions(tree));
    }
    return findings;
  }

  /** Finds in the schema what cannot be distributed by account. */
  judgeSchema(): Promise<string[]> {
    return findInSchema(this.client);
  }

  private async treeOf(text: string): Promise<TreeNode | undefined> {
    this.trees = [];
    try {
      await this.client.query(`PREPARE judged AS ${text}`);
    } catch (error) {
      if (error instanceof DatabaseError) return undefined;
      throw error;
    }
    // PREPARE is a statement, too.
    const tree = this.trees.map(parseNodeTree).find(({ commandType }) => commandType !== '6');
    await this.client.query('DEALLOCATE judged');
    if (tree === undefined) throw new Error(`PostgreSQL sends no tree of ${text}`);
    return tree;
  }

  /** A lock of a transaction is one on the node of the account where the statement reads a table of it. */
  private judgeFunctions(tree: TreeNode): Finding[] {
    const found = new Map<string, Finding>();
    const isSent = this.readsAccount(tree);
    walk(tree, (node) => {
      const name = this.catalog.functions.get(wordOf(node['funcid']))?.name ?? '';
      if (isSent && /^pg_(try_)?advisory_xact/.test(name)) return true;
      const [, why] = Object.entries(OF_ONE_NODE).find(([start]) => name.startsWith(start)) ?? [];
      if (why !== undefined) found.set(name, { rule: 'node', message: `${name} ${why}` });
      if (name === 'set_config' && !isLocal(node)) {
        found.set(name, { rule: 'node', message: 'set_config of the session holds on one node only' });
      }
      if (name === 'set_config' && !isSent && isForTriggers(node)) {
        found.set(name, { rule: 'node', message: 'set_config for a trigger holds on one node only' });
      }
      return true;
    });
    return [...found.values()];
  }

  private readsAccount({ rtable }: TreeNode): boolean {
    return nodesOf(rtable).some(({ relid }) => this.catalog.tables.get(wordOf(relid))?.account !== undefined);
  }
}

/** Whether a call of set_config holds for the transaction: its last argument is the literal true. */
function isLocal({ args }: TreeNode): boolean {
  const last = listOf(args).at(-1);
  return isNode(last) && last.tag === 'CONST' && listOf(last['constvalue'])[2] === '1';
}

/** Whether a call of set_config is of a setting that PostgreSQL does not know: the name has a dot. */
function isForTriggers({ args }: TreeNode): boolean {
  const [name] = nodesOf(args);
  // Behind the number of bytes and a bracket.
  return listOf(name?.['constvalue'])
    .slice(2)
    .includes(String('.'.charCodeAt(0)));
}

/** The statements of a text by the grammar of PostgreSQL; undefined where it is none. */
function partsOf(text: string): { readonly node: Node; readonly text: string }[] | undefined {
  let stmts: RawStmt[] | undefined;
  try {
    ({ stmts } = parseSync(text));
  } catch {
    return undefined;
  }
  // Places are those of bytes.
  const bytes = Buffer.from(text);
  return (stmts ?? []).flatMap(({ stmt, stmt_location: from = 0, stmt_len: length }) =>
    stmt === undefined
      ? []
      : [{ node: stmt, text: bytes.toString('utf8', from, length ? from + length : undefined) }],
  );
}

/** Judges what is no query. */
function judgeOther(kind: string, details: Record<string, unknown>): Finding[] {
  if (kind === 'TransactionStmt' || kind === 'VariableShowStmt') return [];
  if (kind !== 'VariableSetStmt') return [{ rule: 'node', message: `${kind} is no statement of a request` }];
  const name = String(details['name']);
  if (details['is_local'] !== true && !FOR_SPEED.test(name)) {
    return [{ rule: 'node', message: `SET ${name} holds on one node only` }];
  }
  const isGeneric =
    name === 'plan_cache_mode' && JSON.stringify(details['args']).includes('force_generic_plan');
  return isGeneric
    ? [{ rule: 'plan', message: 'force_generic_plan hides the account from the planner' }]
    : [];
}
