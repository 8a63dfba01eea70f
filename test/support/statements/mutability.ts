import type { Catalog } from './catalog.js';
import { isNode, nodesOf, type TreeNode, type TreeValue } from './node-tree.js';

/** Calls `visit` for a node and, where it returns true, for all in it. */
export function walk(value: TreeValue | undefined, visit: (node: TreeNode) => boolean): void {
  if (isNode(value)) {
    if (visit(value)) for (const part of Object.values(value)) walk(part, visit);
  } else if (Array.isArray(value)) {
    for (const part of value as readonly TreeValue[]) walk(part, visit);
  }
}

const TYPES = [
  'vartype',
  'consttype',
  'paramtype',
  'funcresulttype',
  'opresulttype',
  'resulttype',
  'aggtype',
];
const OTHER_TYPES = ['casetype', 'coalescetype', 'minmaxtype', 'array_typeid', 'type', 'refrestype'];

const typeOf = (node: TreeNode): string =>
  String([...TYPES, ...OTHER_TYPES].map((field) => node[field]).find((type) => typeof type === 'string'));

/** How much the value of expressions may change, by the functions that they call. */
export class Mutability {
  constructor(private readonly catalog: Catalog) {}

  /** The names of the volatile functions in an expression, also in its sub-selects. */
  volatile(value: TreeValue | undefined): string[] {
    return this.calls(value, (volatility) => volatility === 'v');
  }

  /** The names of the functions in an expression that are not immutable, also in its sub-selects. */
  mutable(value: TreeValue | undefined): string[] {
    return this.calls(value, (volatility) => volatility !== 'i');
  }

  /** The names of the STABLE functions over columns in an expression, but for its sub-selects. */
  stableOverColumns(value: TreeValue | undefined): string[] {
    const found: string[] = [];
    walk(value, (node) => {
      if (node.tag === 'SUBLINK' || node.tag === 'QUERY') return false;
      if (hasColumn(node)) found.push(...this.own(node, (volatility) => volatility === 's'));
      return true;
    });
    return found;
  }

  /** The names of the functions inside a CASE or COALESCE that are not immutable, but for its sub-selects. */
  mutableChoices(value: TreeValue | undefined): string[] {
    const found: string[] = [];
    walk(value, (node) => {
      if (node.tag === 'SUBLINK' || node.tag === 'QUERY') return false;
      if (node.tag !== 'CASEEXPR' && node.tag !== 'COALESCEEXPR') return true;
      walk(node, (inner) => {
        if (inner.tag === 'SUBLINK') return false;
        found.push(...this.own(inner, (volatility) => volatility !== 'i'));
        return true;
      });
      return false;
    });
    return found;
  }

  private calls(value: TreeValue | undefined, is: (volatility: string) => boolean): string[] {
    const found: string[] = [];
    walk(value, (node) => {
      found.push(...this.own(node, is));
      return true;
    });
    return found;
  }

  private own(node: TreeNode, is: (volatility: string) => boolean): string[] {
    if (node.tag === 'SQLVALUEFUNCTION') return is('s') ? ['CURRENT_…'] : [];
    if (node.tag === 'NEXTVALUEEXPR') return is('v') ? ['nextval'] : [];
    return this.functionsOf(node).flatMap((oid) => {
      const called = this.catalog.functions.get(oid);
      return called !== undefined && is(called.volatility) ? [called.name] : [];
    });
  }

  private functionsOf(node: TreeNode): string[] {
    const { types } = this.catalog;
    if (node.tag === 'COERCEVIAIO') {
      const [from] = nodesOf(node['arg']);
      const output = from && types.get(typeOf(from))?.output;
      const input = types.get(typeOf(node))?.input;
      return [output, input].filter((oid) => oid !== undefined);
    }
    const { funcid, opfuncid, aggfnoid, winfnoid } = node as unknown as Record<string, string | undefined>;
    return [funcid, opfuncid, aggfnoid, winfnoid].filter((oid) => typeof oid === 'string');
  }
}

function hasColumn(value: TreeNode): boolean {
  let found = false;
  walk(value, (node) => {
    if (node.tag === 'VAR') found = true;
    return !found && node.tag !== 'SUBLINK' && node.tag !== 'QUERY';
  });
  return found;
}
