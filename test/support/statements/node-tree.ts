/** A node of a tree of PostgreSQL, such as `{VAR :varno 1 :varattno 2}`, with its fields. */
export interface TreeNode {
  readonly tag: string;
  readonly [field: string]: TreeValue;
}

/** A field: a node, a list, a word, or null for `<>`. A field of several words is a list of them. */
export type TreeValue = TreeNode | readonly TreeValue[] | string | null;

export const isNode = (value: TreeValue | undefined): value is TreeNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The nodes and words of a list; none where there is no list. */
export const listOf = (value: TreeValue | undefined): readonly TreeValue[] =>
  Array.isArray(value) ? (value as readonly TreeValue[]) : [];

/** The nodes of a list; none where there is no list. */
export const nodesOf = (value: TreeValue | undefined): readonly TreeNode[] =>
  isNode(value) ? [value] : listOf(value).filter(isNode);

/** A word, such as a number; empty for all else. */
export const wordOf = (value: TreeValue | undefined): string => (typeof value === 'string' ? value : '');

const TOKEN = /[{}()]|"(?:[^"\\]|\\[^])*"|(?:[^\s{}()\\]|\\[^])+/g;

/** Reads the tree of a statement as PostgreSQL writes it into its log: debug_print_rewritten. */
export function parseNodeTree(text: string): TreeNode {
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;
  const value = (): TreeValue => {
    const token = tokens[at++];
    if (token === '{') return node();
    if (token !== '(') return token === '<>' || token === undefined ? null : token;
    const list: TreeValue[] = [];
    while (at < tokens.length && tokens[at] !== ')') list.push(value());
    at++;
    return list;
  };
  const node = (): TreeNode => {
    const fields: Record<string, TreeValue> & { tag: string } = { tag: tokens[at++] ?? '' };
    while (at < tokens.length && tokens[at] !== '}') {
      const name = tokens[at++]?.slice(1) ?? '';
      const values: TreeValue[] = [];
      while (at < tokens.length && tokens[at] !== '}' && tokens[at]?.startsWith(':') !== true)
        values.push(value());
      fields[name] = values.length === 1 ? (values[0] ?? null) : values;
    }
    at++;
    return fields;
  };
  const [tree] = nodesOf(value());
  if (tree === undefined) throw new Error(`No tree: ${text.slice(0, 80)}`);
  return tree;
}
