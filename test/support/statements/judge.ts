import { AccountFlows } from './account-flows.js';
import type { Catalog } from './catalog.js';
import { ChangeJudge } from './change-judge.js';
import { Mutability, walk } from './mutability.js';
import { listOf, nodesOf, wordOf, type TreeNode, type TreeValue } from './node-tree.js';
import {
  ANY,
  conjunctsOf,
  CTE,
  cteOf,
  EXISTS,
  entryOf,
  GROUP,
  has,
  INNER,
  insertedOf,
  isJoinable,
  isSimple,
  missingOf,
  optionalTables,
  RELATION,
  SELECT,
  SUBQUERY,
  takesConditions,
  targetsOf,
  VALUES,
  type Level,
} from './query-parts.js';

/** Why a statement does not reach one shard as one task. */
export interface Finding {
  readonly rule: string;
  readonly message: string;
}

/** Judges one statement. */
class Judge {
  private readonly findings: Finding[] = [];
  private readonly flows: AccountFlows;
  private readonly changes: ChangeJudge;
  private readonly mutability: Mutability;
  private levels = 0;

  constructor(private readonly catalog: Catalog) {
    this.flows = new AccountFlows(catalog);
    this.changes = new ChangeJudge(catalog, this.flows, (rule, message) => this.add(rule, message));
    this.mutability = new Mutability(catalog);
  }

  judge(query: TreeNode): readonly Finding[] {
    this.visit(this.level(query, {}));
    this.judgeFunctions(query);
    this.judgeOrder(query);
    const { lacking, isOne } = this.flows.result();
    for (const { table, isLocked } of lacking) {
      this.add('account', `${table}: no equality of its account with a parameter`);
      if (isLocked === true) this.add('lock', `${table}: FOR UPDATE or FOR SHARE of more than one shard`);
    }
    if (!isOne) this.add('account', 'the accounts of two tables have parameters of their own');
    return this.findings;
  }

  private add(rule: string, message: string): void {
    if (this.findings.some((found) => found.rule === rule && found.message === message)) return;
    this.findings.push({ rule, message });
  }

  /** A function is sent as it is: Citus does not see what it reads. */
  private judgeFunctions(query: TreeNode): void {
    walk(query, ({ tag, funcid }) => {
      const called = tag === 'FUNCEXPR' ? this.catalog.functions.get(wordOf(funcid)) : undefined;
      if (called?.reads !== undefined) this.add('function', `${called.name} reads ${called.reads} itself`);
      return true;
    });
  }

  /**
   * Where one table or query stands in FROM, Citus sends its columns without its name, and ORDER BY takes
   * them for those of the result that are called the same.
   */
  private judgeOrder(query: TreeNode): void {
    if (nodesOf(query['rtable']).filter(({ rtekind }) => rtekind !== GROUP).length !== 1) return;
    for (const { tleSortGroupRef } of nodesOf(query['sortClause'])) {
      const key = nodesOf(query['targetList']).find(
        ({ ressortgroupref }) => ressortgroupref === tleSortGroupRef,
      );
      const [column] = nodesOf(key?.['expr']);
      if (column?.tag !== 'VAR') continue;
      const [names] = nodesOf(entryOf(query, column['varno'])?.['eref']);
      const name = JSON.parse(wordOf(listOf(names?.['colnames'])[Number(column['varattno']) - 1]));
      if (targetsOf(query).some((target) => target !== key && target['resname'] === name))
        this.add('order', `ORDER BY ${name} is that of the result`);
    }
  }

  private level(query: TreeNode, { outer, isMerged = false, isOptional = false }: Partial<Level>): Level {
    const id = `${outer?.id ?? ''}${this.levels++}/`;
    return { id, query, ...(outer && { outer }), isMerged, isOptional, ctes: new Map(), inner: new Map() };
  }

  private visit(level: Level): void {
    const { query } = level;
    for (const cte of nodesOf(query['cteList'])) this.enterCte(level, cte);
    nodesOf(query['rtable']).forEach((entry, index) => this.enter(level, entry, String(index + 1)));
    const joined = new Set<TreeNode>();
    for (const from of nodesOf(query['jointree'])) this.enterJoins(level, from, joined);
    this.enterSubLinks(level, joined);
    this.changes.judge(level);
  }

  private enterCte(level: Level, cte: TreeNode): void {
    const [query] = nodesOf(cte['ctequery']);
    if (query === undefined) return;
    const { ctematerialized: how, cterefcount, cterecursive } = cte;
    const isUsedOnce =
      (how === '2' || (how === '0' && cterefcount === '1')) &&
      cterecursive === 'false' &&
      query['commandType'] === SELECT &&
      query['hasModifyingCTE'] === 'false';
    const isInline =
      isUsedOnce && query['hasForUpdate'] === 'false' && this.mutability.volatile(query).length === 0;
    const made = this.level(query, { outer: level, isMerged: isInline && isSimple(query) });
    level.ctes.set(wordOf(cte['ctename']), { level: made, isUsedOnce, isInline });
    this.visit(made);
  }

  private enter(level: Level, entry: TreeNode, index: string): void {
    const { query, id } = level;
    if (entry['rtekind'] === RELATION) {
      const table = this.catalog.tables.get(wordOf(entry['relid']));
      if (table?.account === undefined || insertedOf(query).includes(index)) return;
      const isLocked = nodesOf(query['rowMarks']).some(({ rti }) => rti === index);
      this.flows.need({ key: `${id}.${index}.${table.account}`, table: table.name, isLocked });
    } else if (entry['rtekind'] === SUBQUERY) {
      const [inner] = nodesOf(entry['subquery']);
      if (inner === undefined) return;
      const isOptional = optionalTables(query).has(index);
      const made = this.level(inner, { outer: level, isMerged: isSimple(inner), isOptional });
      level.inner.set(index, made);
      this.visit(made);
      this.link(level, index, made);
    } else if (entry['rtekind'] === CTE) {
      const cte = cteOf(level, entry);
      if (cte?.isInline === true) this.link(level, index, cte.level);
    } else if (entry['rtekind'] === VALUES) {
      const [row, another] = listOf(entry['values_lists']);
      if (another !== undefined) return;
      listOf(row).forEach((value, column) =>
        this.flows.flow(this.flows.sourceOf(level, value), `${id}.${index}.${column + 1}`, level),
      );
    }
  }

  /** Joins the columns that a sub-select returns with those that the query has of it. */
  private link(level: Level, index: string, inner: Level): void {
    for (const { resno, expr } of targetsOf(inner.query)) {
      const column = `${level.id}.${index}.${wordOf(resno)}`;
      if (inner.isMerged) this.flows.equate(this.flows.sourceOf(inner, expr), column, level);
      else this.passDown(column, inner, resno);
    }
  }

  private passDown(column: string, inner: Level, resno: TreeValue | undefined): void {
    if (!takesConditions(inner.query)) return;
    if (has(inner.query['setOperations'])) {
      for (const part of inner.inner.values()) this.passDown(column, part, resno);
      return;
    }
    const target = targetsOf(inner.query).find((each) => each['resno'] === resno);
    this.flows.flow(column, this.flows.sourceOf(inner, target?.['expr']), inner);
  }

  /** @param joined takes the sub-selects of conditions that the planner makes joins */
  private enterJoins(level: Level, item: TreeNode, joined: Set<TreeNode>): void {
    for (const part of [item['fromlist'], item['larg'], item['rarg']].flatMap(nodesOf)) {
      this.enterJoins(level, part, joined);
    }
    const isInner = item.tag === 'FROMEXPR' || item['jointype'] === INNER;
    if (isInner) this.enterCondition(level, item['quals'], joined);
    else this.enterOuterJoin(level, item);
  }

  /** The condition of an outer join tells of the tables that may be missing, and of no others. */
  private enterOuterJoin(level: Level, join: TreeNode): void {
    const missing = missingOf(join);
    const isMissing = (key: string): boolean =>
      key.startsWith(`${level.id}.`) && missing.includes(key.split('.')[1] ?? '');
    for (const part of conjunctsOf(join['quals'])) {
      for (const [one, other] of this.flows.equalitiesOf(level, part)) {
        if (isMissing(other)) this.flows.flow(one, other, level);
        if (isMissing(one)) this.flows.flow(other, one, level);
      }
    }
  }

  private enterCondition(level: Level, condition: TreeValue | undefined, joined: Set<TreeNode>): void {
    for (const part of conjunctsOf(condition)) {
      for (const [one, other] of this.flows.equalitiesOf(level, part)) this.flows.equate(one, other, level);
      const [negated] = part.tag === 'BOOLEXPR' && part['boolop'] === 'not' ? nodesOf(part['args']) : [];
      const link = negated ?? part;
      const [query] = link.tag === 'SUBLINK' ? nodesOf(link['subselect']) : [];
      if (query === undefined) continue;
      if (link['subLinkType'] === EXISTS && isJoinable(query)) {
        joined.add(link);
        this.visit(this.level(query, { outer: level, isMerged: true, isOptional: negated !== undefined }));
      } else if (link['subLinkType'] === ANY && negated === undefined && isSimple(query)) {
        joined.add(link);
        const inner = this.level(query, { outer: level });
        this.visit(inner);
        this.joinAny(level, link, inner);
      }
    }
  }

  /** `(a, b) IN (SELECT …)`: a join, as long as the sub-select does not name the query around it. */
  private joinAny(level: Level, link: TreeNode, inner: Level): void {
    for (const part of conjunctsOf(link['testexpr'])) {
      const [column, result] = nodesOf(part['args']);
      if (!this.flows.isEquality(part) || result?.tag !== 'PARAM') continue;
      const target = targetsOf(inner.query).find(({ resno }) => resno === result['paramid']);
      const returned = this.flows.sourceOf(inner, target?.['expr']);
      this.flows.equate(this.flows.sourceOf(level, column), returned, level);
    }
  }

  /** All other sub-selects stand for themselves. */
  private enterSubLinks(level: Level, joined: ReadonlySet<TreeNode>): void {
    const { rtable, ...parts } = level.query;
    const sources = nodesOf(rtable).flatMap((entry) => [entry['functions'], entry['values_lists']]);
    walk(
      [...Object.values({ ...parts, cteList: null }), ...sources.map((source) => source ?? null)],
      (node) => {
        if (node.tag !== 'SUBLINK') return true;
        const [query] = nodesOf(node['subselect']);
        if (query !== undefined && !joined.has(node)) this.visit(this.level(query, { outer: level }));
        return false;
      },
    );
  }
}

/**
 * Returns why a statement does not reach one shard as one task. It judges as a planner of Citus does, by the
 * tree that PostgreSQL makes of a statement, in which names are resolved and operators are functions.
 */
export function judge(query: TreeNode, catalog: Catalog): readonly Finding[] {
  return new Judge(catalog).judge(query);
}
