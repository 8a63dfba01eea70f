import { walk } from './mutability.js';
import { isNode, listOf, nodesOf, wordOf, type TreeNode, type TreeValue } from './node-tree.js';

/** The commands of queries, by their numbers. */
export const [SELECT, UPDATE, INSERT, DELETE] = ['1', '2', '3', '4'] as const;
/** The kinds of what stands in FROM. */
export const [RELATION, SUBQUERY, JOIN, VALUES, CTE, GROUP] = ['0', '1', '2', '5', '6', '9'] as const;
/** The kinds of joins. */
export const [INNER, LEFT, FULL, RIGHT] = ['0', '1', '2', '3'] as const;
/** The kinds of sub-selects in conditions. */
export const [EXISTS, ANY] = ['0', '2'] as const;

/** One SELECT, INSERT, UPDATE or DELETE of a statement. */
export interface Level {
  /** That of an inner one begins with that of the outer one. */
  readonly id: string;
  readonly query: TreeNode;
  readonly outer?: Level;
  /** The planner makes it a part of the outer one, so that equalities hold across both. */
  readonly isMerged: boolean;
  /** Its equalities tell nothing of the outer one: of the inner side of an outer join, and of NOT EXISTS. */
  readonly isOptional: boolean;
  readonly ctes: Map<string, Cte>;
  /** The sub-selects of FROM, by their numbers. */
  readonly inner: Map<string, Level>;
}

/** A query of WITH. */
export interface Cte {
  readonly level: Level;
  /** A SELECT that is used once, and not MATERIALIZED. */
  readonly isUsedOnce: boolean;
  /** PostgreSQL puts it where it is used: it is not volatile, either, and locks nothing. */
  readonly isInline: boolean;
}

export const has = (value: TreeValue | undefined): boolean => isNode(value) || listOf(value).length > 0;

/** What a query returns or writes. */
export const targetsOf = (query: TreeNode): readonly TreeNode[] =>
  nodesOf(query['targetList']).filter(({ resjunk }) => resjunk === 'false');

/** What stands in FROM under a number. */
export const entryOf = (query: TreeNode, index: TreeValue | undefined): TreeNode | undefined =>
  nodesOf(query['rtable'])[Number(index) - 1];

/** Returns whether the planner makes a sub-select of FROM a part of the query around it. */
export const isSimple = (query: TreeNode): boolean =>
  query['commandType'] === SELECT &&
  ['hasAggs', 'hasWindowFuncs', 'hasTargetSRFs', 'hasForUpdate'].every((flag) => query[flag] === 'false') &&
  ['setOperations', 'groupClause', 'groupingSets', 'havingQual', 'sortClause', 'distinctClause'].every(
    (part) => !has(query[part]),
  ) &&
  !['limitOffset', 'limitCount', 'cteList'].some((part) => has(query[part]));

/** Returns whether the planner makes `EXISTS (…)` a join. */
export const isJoinable = (query: TreeNode): boolean =>
  isSimple({ ...query, sortClause: null, distinctClause: null, groupClause: null });

/** Returns whether a condition on what a sub-select returns may be checked inside it. */
export const takesConditions = (query: TreeNode): boolean =>
  query['commandType'] === SELECT &&
  ['hasWindowFuncs', 'hasTargetSRFs', 'hasDistinctOn'].every((flag) => query[flag] === 'false') &&
  !['limitOffset', 'limitCount'].some((part) => has(query[part]));

/** The parts of a condition that all hold. */
export function conjunctsOf(condition: TreeValue | undefined): readonly TreeNode[] {
  return nodesOf(condition).flatMap((node) =>
    node.tag === 'BOOLEXPR' && node['boolop'] === 'and' ? conjunctsOf(node['args']) : [node],
  );
}

/** The numbers of what an INSERT writes: its table, and that table as `excluded`. */
export function insertedOf(query: TreeNode): readonly unknown[] {
  const [conflict] = nodesOf(query['onConflict']);
  return query['commandType'] === INSERT ? [query['resultRelation'], conflict?.['exclRelIndex']] : [];
}

/** The numbers of the tables of a part of FROM. */
function tablesOf(item: TreeValue | undefined): string[] {
  return nodesOf(item).flatMap((node) =>
    node.tag === 'RANGETBLREF'
      ? [wordOf(node['rtindex'])]
      : [...tablesOf(node['larg']), ...tablesOf(node['rarg'])],
  );
}

/** The numbers of the tables of a join that it may leave out. */
export function missingOf({ jointype, larg, rarg }: TreeNode): string[] {
  return [
    ...(jointype === LEFT || jointype === FULL ? tablesOf(rarg) : []),
    ...(jointype === RIGHT || jointype === FULL ? tablesOf(larg) : []),
  ];
}

/** The numbers of the tables of a query that an outer join may leave out. */
export function optionalTables(query: TreeNode): ReadonlySet<string> {
  const found: string[] = [];
  walk(query['jointree'], (node) => {
    if (node.tag === 'JOINEXPR') found.push(...missingOf(node));
    return node.tag !== 'SUBLINK';
  });
  return new Set(found);
}

/** The query of WITH that an entry of FROM names. */
export function cteOf(level: Level, entry: TreeNode): Cte | undefined {
  let at: Level | undefined = level;
  for (let up = Number(entry['ctelevelsup']); up > 0; up--) at = at?.outer;
  return at?.ctes.get(wordOf(entry['ctename']));
}

/** The values of a column of VALUES, row by row; undefined where a column is no such. */
export function valuesOf({ query }: Level, { varno, varattno }: TreeNode): readonly TreeValue[] | undefined {
  const entry = entryOf(query, varno);
  if (entry?.['rtekind'] !== VALUES) return undefined;
  return listOf(entry['values_lists']).map((row) => listOf(row)[Number(varattno) - 1] ?? null);
}
