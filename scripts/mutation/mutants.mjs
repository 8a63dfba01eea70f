import ts from 'typescript';

const K = ts.SyntaxKind;

/** What each operator becomes. */
const OPERATORS = new Map([
  [K.LessThanToken, '<='],
  [K.LessThanEqualsToken, '<'],
  [K.GreaterThanToken, '>='],
  [K.GreaterThanEqualsToken, '>'],
  [K.EqualsEqualsEqualsToken, '!=='],
  [K.ExclamationEqualsEqualsToken, '==='],
  [K.PlusToken, '-'],
  [K.MinusToken, '+'],
  [K.AmpersandAmpersandToken, '||'],
  [K.BarBarToken, '&&'],
]);

const SQL = /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE|FROM|AND|ORDER BY)\b/;

/** One condition, up to the next keyword or the parenthesis that ends it; one level of parentheses inside. */
const CONDITION =
  /(?<=\bAND )(?:\([^()]*\)|[^()])+?(?=\s*(?:\b(?:AND|OR|ORDER|GROUP|LIMIT|FOR|RETURNING|UNION|FROM|SET|THEN|LEFT|JOIN|ON)\b|\)|$))/g;

const IN_SQL = [
  [/(?<![<>!:=])(?<!\bSET\s+\w+\s*)=(?![>=])/g, '>='],
  [/(?<![<-])<(?![=>@])/g, '<='],
  [/(?<![<>=|-])>(?![=>])/g, '>='],
  [/<=/g, '<'],
  [/(?<!-)>=/g, '>'],
  [/\bIS NULL\b/g, 'IS NOT NULL'],
  [/\bIS NOT NULL\b/g, 'IS NULL'],
  [/\bFOR (?:NO KEY )?(?:UPDATE|SHARE)(?: OF \w+)?(?: SKIP LOCKED)?/g, ''],
  [/\bASC\b/g, 'DESC'],
  [/\bDESC\b/g, 'ASC'],
  // Not dropped: its parameter would be one that the statement does not have.
  [CONDITION, '($& OR true)'],
];

const EQUALITIES = new Set([K.EqualsEqualsEqualsToken, K.ExclamationEqualsEqualsToken]);
const isEquality = (node) => ts.isBinaryExpression(node) && EQUALITIES.has(node.operatorToken.kind);

/** Decorators such as `@ApiQuery(...)` change nothing but the OpenAPI document. */
const isDocumentation = (node) => ts.isDecorator(node) && /^@Api[A-Z]/.test(node.getText());

const isText = (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/**
 * Every mutant of a TypeScript file, in order of place.
 * @returns {{ start: number, end: number, text: string, line: number, change: string }[]}
 */
export function mutantsOf(fileName, source) {
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.ESNext, true);
  const mutants = [];

  function add(start, end, text) {
    const was = source.slice(start, end);
    if (was === text || mutants.some((one) => one.start === start && one.end === end && one.text === text))
      return;
    const line = file.getLineAndCharacterOfPosition(start).line + 1;
    // An operator alone says nothing: what stands around it is shown with it.
    const around = was.length < 8 ? 15 : 0;
    const before = source.slice(start - around, start);
    const after = source.slice(end, end + around);
    const short = (part) => `${before}${part}${after}`.replace(/\s+/g, ' ').slice(0, 70) || 'nothing';
    mutants.push({ start, end, text, line, change: `${short(was)} → ${short(text)}` });
  }
  const replace = (node, text) => add(node.getStart(file), node.end, text);
  // Where an equality is the whole condition, its operator's own mutant is the same.
  const negate = (node) => isEquality(node) || replace(node, `!(${node.getText(file)})`);

  function sql(piece) {
    const start = piece.getStart(file);
    // A piece that ends at a substitution has the rest of its last condition elsewhere.
    const isOpen = piece.kind === K.TemplateHead || piece.kind === K.TemplateMiddle;
    const text = source.slice(start + 1, piece.end - (isOpen ? 2 : 1));
    for (const [pattern, replacement] of IN_SQL) {
      for (const { index, 0: found } of text.matchAll(pattern)) {
        if (isOpen && pattern === CONDITION && index + found.length === text.trimEnd().length) continue;
        const changed = replacement.replace('$&', found);
        add(start + 1 + index, start + 1 + index + found.length, changed);
      }
    }
  }

  function visit(node) {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (isDocumentation(node)) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isIfStatement(node)) negate(node.expression);
    if (ts.isConditionalExpression(node)) negate(node.condition);
    if (ts.isBinaryExpression(node) && !isText(node.left) && !isText(node.right)) {
      const operator = OPERATORS.get(node.operatorToken.kind);
      if (operator !== undefined) replace(node.operatorToken, operator);
    }
    if (ts.isBlock(node) && node.statements.length > 1) replace(node, '{}');
    if (ts.isExpressionStatement(node) && node.expression.kind !== K.SuperKeyword) replace(node, ';');
    if (ts.isReturnStatement(node) && node.expression !== undefined) replace(node.expression, 'undefined');
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) replace(node.body, 'undefined');
    if (node.kind === K.TrueKeyword) replace(node, 'false');
    if (node.kind === K.FalseKeyword) replace(node, 'true');
    if (ts.isNumericLiteral(node)) replace(node, String(Number(node.text.replaceAll('_', '')) + 1));
    if (ts.isStringLiteralLike(node) && SQL.test(node.text)) sql(node);
    if (ts.isTemplateExpression(node) && SQL.test(node.getText(file))) {
      sql(node.head);
      for (const span of node.templateSpans) sql(span.literal);
    }
    ts.forEachChild(node, visit);
  }
  visit(file);
  return mutants.sort((a, b) => a.start - b.start || a.end - b.end);
}
