import type { AccountFlows } from './account-flows.js';
import { isValue } from './account-flows.js';
import type { Catalog, Table } from './catalog.js';
import { Mutability, walk } from './mutability.js';
import { isNode, listOf, nodesOf, wordOf, type TreeNode, type TreeValue } from './node-tree.js';
import {
  CTE,
  cteOf,
  DELETE,
  entryOf,
  GROUP,
  has,
  INSERT,
  JOIN,
  RELATION,
  targetsOf,
  UPDATE,
  valuesOf,
  type Level,
} from './query-parts.js';

/** Judges what writes. Citus writes on the worker what it has made of the statement on the coordinator. */
export class ChangeJudge {
  private readonly mutability: Mutability;

  /** @param add takes a rule and what is against it */
  constructor(
    private readonly catalog: Catalog,
    private readonly flows: AccountFlows,
    private readonly add: (rule: string, message: string) => void,
  ) {
    this.mutability = new Mutability(catalog);
  }

  judge(level: Level): void {
    const { query, outer } = level;
    const isInsert = query['commandType'] === INSERT;
    if (!isInsert && query['commandType'] !== UPDATE && query['commandType'] !== DELETE) return;
    const target = this.catalog.tables.get(wordOf(entryOf(query, query['resultRelation'])?.['relid']));
    if (target === undefined) return;
    if (target.account === undefined) {
      this.add('reference', `writes ${target.name}, which all nodes have`);
      if (outer !== undefined) this.add('steps', `writes ${target.name} in WITH`);
    }
    if (isInsert) this.judgeInsert(level, target);
    else this.judgeUpdate(level);
    const isSelected = isInsert && level.inner.size > 0;
    if (!isSelected)
      this.refuse('RETURNING', 'not immutable', this.mutability.mutable(query['returningList']));
    this.refuse('ON CONFLICT DO UPDATE', 'not immutable', this.mutability.mutable(query['onConflict']));
  }

  private refuse(where: string, what: string, calls: readonly string[]): void {
    for (const call of calls) this.add('function', `${call} in ${where} is ${what}`);
  }

  private judgeUpdate(level: Level): void {
    const { query } = level;
    const [from = null] = nodesOf(query['jointree']);
    const condition = from?.['quals'] ?? null;
    const set = valuesIn(query);
    const merged = nodesOf(query['rtable']).flatMap((entry, index) => {
      const inner = level.inner.get(String(index + 1)) ?? inlineOf(level, entry);
      return inner === undefined ? [] : [inner.query];
    });
    const overColumns = [...set, condition, ...merged.flatMap(valuesIn)];
    this.refuse('UPDATE or DELETE', 'volatile', this.mutability.volatile([...set, from, ...merged]));
    this.refuse('UPDATE or DELETE', 'STABLE over columns', this.mutability.stableOverColumns(overColumns));
    this.refuse('CASE or COALESCE', 'not immutable', this.mutability.mutableChoices([...set, condition]));
  }

  private judgeInsert(level: Level, { name, account }: Table): void {
    const { query, id, inner, outer } = level;
    if (outer !== undefined) this.add('steps', `INSERT INTO ${name} in WITH is a step of its own`);
    if (has(query['cteList'])) this.add('steps', `WITH in front of INSERT INTO ${name}`);
    const [selected] = inner.values();
    if (selected === undefined) this.judgeValues(query, name);
    else this.refuse('INSERT … SELECT', 'volatile', this.mutability.volatile(selected.query));
    if (account === undefined) return;
    const value = targetsOf(query).find(({ resno }) => resno === account)?.['expr'];
    const sources = selected === undefined ? this.sourcesOf(level, value) : this.originsOf(level, value);
    if (sources === undefined && selected !== undefined) {
      this.add('steps', `INSERT INTO ${name} SELECT takes its account of no table`);
      return;
    }
    const key = `${id}.insert`;
    this.flows.need({ key, table: name });
    for (const source of sources ?? []) this.flows.flow(source, key, level);
  }

  private judgeValues(query: TreeNode, name: string): void {
    const rows = nodesOf(query['rtable']).map((entry) => entry['values_lists'] ?? null);
    walk([query['targetList'] ?? null, ...rows], (node) => {
      if (node.tag === 'SUBLINK') this.add('steps', `sub-select in VALUES of ${name}`);
      return node.tag !== 'SUBLINK';
    });
  }

  /**
   * The parameters of VALUES; undefined where a row has none. TypeORM has one for each row, and that all are
   * one account is not to be seen: the first stands for them.
   */
  private sourcesOf(level: Level, value: TreeValue | undefined): readonly string[] | undefined {
    const rows = isNode(value) && value.tag === 'VAR' ? valuesOf(level, value) : [value];
    const sources = (rows ?? []).map((row) => this.flows.sourceOf(level, row) ?? '');
    return sources.every(isValue) ? sources.slice(0, 1) : undefined;
  }

  /** The columns of accounts that an expression is, through sub-selects; undefined for anything else. */
  private originsOf(level: Level, value: TreeValue | undefined): readonly string[] | undefined {
    if (!isNode(value) || value.tag !== 'VAR' || value['varlevelsup'] !== '0') return undefined;
    const { varno, varattno } = value;
    const entry = entryOf(level.query, varno);
    const column = Number(varattno) - 1;
    switch (entry?.['rtekind']) {
      case JOIN:
        return this.originsOf(level, listOf(entry['joinaliasvars'])[column]);
      case GROUP:
        return this.originsOf(level, listOf(entry['groupexprs'])[column]);
      case RELATION: {
        const isAccount = this.catalog.tables.get(wordOf(entry['relid']))?.account === varattno;
        const source = this.flows.sourceOf(level, value);
        return isAccount && source !== undefined ? [source] : undefined;
      }
    }
    const inner = level.inner.get(wordOf(varno)) ?? (entry && inlineOf(level, entry));
    if (inner === undefined) return undefined;
    const parts = has(inner.query['setOperations']) ? [...inner.inner.values()] : [inner];
    const origins = parts.map((part) => this.originsOf(part, targetsOf(part.query)[column]?.['expr']));
    return origins.includes(undefined) ? undefined : origins.flatMap((origin) => origin ?? []);
  }
}

const valuesIn = (query: TreeNode): readonly TreeValue[] => targetsOf(query).map(({ expr }) => expr ?? null);

/** The query of WITH that Citus puts where an entry of FROM names it, volatile or not. */
function inlineOf(level: Level, entry: TreeNode): Level | undefined {
  const cte = entry['rtekind'] === CTE ? cteOf(level, entry) : undefined;
  return cte?.isUsedOnce === true ? cte.level : undefined;
}
