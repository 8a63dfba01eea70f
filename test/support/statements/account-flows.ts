import type { Catalog } from './catalog.js';
import { isNode, listOf, nodesOf, wordOf, type TreeNode, type TreeValue } from './node-tree.js';
import { conjunctsOf, entryOf, GROUP, JOIN, targetsOf, type Level } from './query-parts.js';

/** A reference to a table of accounts. */
interface Needed {
  readonly key: string;
  readonly table: string;
  readonly isLocked?: boolean;
}

/** Whether a key is a parameter or a literal, and no column. */
export const isValue = (key: string): boolean => key.startsWith('$');

const UUID_EQUALS = 'uuid_eq';

/**
 * What the planner knows to be one account. A key is a parameter or literal, `$1`, or a column: its level,
 * the number of what it is of, and its own.
 */
export class AccountFlows {
  private readonly flows = new Map<string, Set<string>>();
  private readonly needed: Needed[] = [];

  constructor(private readonly catalog: Catalog) {}

  /** Each key that is needed must have the value of one parameter. */
  need(needed: Needed): void {
    this.needed.push(needed);
  }

  /** The account at one key is that at the other. */
  flow(from: string | undefined, to: string | undefined, level: Level): void {
    if (from === undefined || to === undefined || isValue(to)) return;
    if (level.isOptional && !to.startsWith(level.id)) return;
    this.flows.set(from, (this.flows.get(from) ?? new Set<string>()).add(to));
  }

  equate(one: string | undefined, other: string | undefined, level: Level): void {
    this.flow(one, other, level);
    this.flow(other, one, level);
  }

  /** The tables that no parameter reaches, and whether one parameter reaches all others. */
  result(): { readonly lacking: readonly Needed[]; readonly isOne: boolean } {
    const reached = [...this.flows.keys()].filter(isValue).map((value) => this.reachedFrom(value));
    const lacking = this.needed.filter(({ key }) => !reached.some((keys) => keys.has(key)));
    const others = this.needed.filter((needed) => !lacking.includes(needed));
    const isOne = others.length === 0 || reached.some((keys) => others.every(({ key }) => keys.has(key)));
    return { lacking, isOne };
  }

  private reachedFrom(value: string): ReadonlySet<string> {
    const reached = new Set([value]);
    for (const key of reached) for (const next of this.flows.get(key) ?? []) reached.add(next);
    return reached;
  }

  /** The keys that a condition makes equal: in each of its branches, where it is an OR. */
  equalitiesOf(level: Level, node: TreeNode): readonly (readonly [string, string])[] {
    if (node.tag === 'BOOLEXPR' && node['boolop'] === 'or') {
      const [first = [], ...others] = nodesOf(node['args']).map((branch) =>
        conjunctsOf(branch).flatMap((part) => this.equalitiesOf(level, part)),
      );
      return first.filter(
        ([column, value]) =>
          isValue(value) && others.every((branch) => branch.some(([a, b]) => a === column && isValue(b))),
      );
    }
    if (!this.isEquality(node)) return [];
    const [one, other] = nodesOf(node['args']).map((side) => this.sourceOf(level, side));
    if (one === undefined || other === undefined) return [];
    return [isValue(one) ? [other, one] : [one, other]];
  }

  /** Whether a node is `=` of two ids. */
  isEquality({ tag, opfuncid }: TreeNode): boolean {
    return tag === 'OPEXPR' && this.catalog.functions.get(wordOf(opfuncid))?.name === UUID_EQUALS;
  }

  /** The key of a parameter, a literal or a column; undefined for all that the planner does not look into. */
  sourceOf(level: Level, value: TreeValue | undefined): string | undefined {
    if (!isNode(value)) return undefined;
    switch (value.tag) {
      case 'PARAM':
        return value['paramkind'] === '0' ? `$${wordOf(value['paramid'])}` : undefined;
      case 'CONST':
        return value['constisnull'] === 'false' ? `$${JSON.stringify(value['constvalue'])}` : undefined;
      case 'RELABELTYPE':
        return this.sourceOf(level, value['arg']);
      case 'COERCEVIAIO': {
        const source = this.sourceOf(level, value['arg']);
        return source !== undefined && isValue(source) ? source : undefined;
      }
      case 'VAR':
        return this.columnOf(level, value);
      default:
        return undefined;
    }
  }

  private columnOf(level: Level, { varno, varattno, varlevelsup }: TreeNode): string | undefined {
    let at: Level | undefined = level;
    let isSeen = true;
    for (let up = Number(varlevelsup); up > 0; up--) {
      isSeen &&= at?.isMerged === true;
      at = at?.outer;
    }
    if (at === undefined) return undefined;
    if (!isSeen) return this.valueOf(at, wordOf(varno), varattno);
    const entry = entryOf(at.query, varno);
    const column = Number(varattno) - 1;
    if (entry?.['rtekind'] === JOIN) return this.sourceOf(at, listOf(entry['joinaliasvars'])[column]);
    if (entry?.['rtekind'] === GROUP) return this.sourceOf(at, listOf(entry['groupexprs'])[column]);
    return `${at.id}.${wordOf(varno)}.${wordOf(varattno)}`;
  }

  /** The value of a column of a sub-select that the planner replaces by it, wherever it stands. */
  private valueOf(level: Level, varno: string, column: TreeValue | undefined): string | undefined {
    const inner = level.inner.get(varno);
    if (inner?.isMerged !== true || inner.isOptional) return undefined;
    const target = targetsOf(inner.query).find(({ resno }) => resno === column);
    const source = this.sourceOf(inner, target?.['expr']);
    return source !== undefined && isValue(source) ? source : undefined;
  }
}
