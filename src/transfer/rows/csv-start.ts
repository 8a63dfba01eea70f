/** What comes before the rows of a CSV file, and what separates their cells. */
export interface CsvStart {
  /** Where the rows begin, of which the first one has the headings. */
  readonly at: number;
  /** Number of the line there, from 1. */
  readonly line: number;
  readonly delimiter: string;
  /** The line that says what separates cells, or nothing. */
  readonly separatorLine: string;
}

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** What Excel reads and some programs write first; the separator is no letter, digit, quote or `_`. */
const SEPARATOR_LINE = /"?sep=([\t !#-/:-@[-^`{-~])"?[ \t]*(?:\r\n?|\n|$)/iy;

const LINE = /[^\r\n]*(?:\r\n?|\n)/y;

/** Lines of blank cells, and the blank cells of the line behind them. */
const BLANK = /[\s,;|"]*/y;

/** A cell in quotes that follows a delimiter. A quote in any other place is a character. */
const QUOTED_CELL = /(^|[,;\t|]) *"[^"]*(?:""[^"]*)*"/g;

/**
 * Reads the start of a CSV file: leaves lines out, and finds what separates cells. A line `sep=;` says it, as
 * the first one of the file or of those that are left. Otherwise it is that of comma, semicolon, tab and `|`
 * which the headings have most of, outside of quotes.
 * @param text the file, or as much of it as may come before the rows
 * @returns undefined where it has too few lines
 */
export function startOfCsv(text: string, skipLines: number): CsvStart | undefined {
  let separator = matchAt(SEPARATOR_LINE, text, 0);
  let at = 0;
  for (let line = 1; line <= skipLines; line++) {
    const skipped = matchAt(LINE, text, at);
    if (skipped === null) return undefined;
    at += skipped[0].length;
  }
  const next = matchAt(SEPARATOR_LINE, text, at);
  if (next !== null) at += next[0].length;
  separator = next ?? separator;
  return {
    at,
    line: skipLines + (next === null ? 1 : 2),
    delimiter: separator?.[1] ?? delimiterOf(text.slice(at)),
    separatorLine: separator === null ? '' : `sep=${separator[1]}\n`,
  };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function delimiterOf(text: string): string {
  const blank = matchAt(BLANK, text, 0)?.[0] ?? '';
  const begin = Math.max(blank.lastIndexOf('\n'), blank.lastIndexOf('\r')) + 1;
  const [headings = ''] = text
    .slice(begin)
    .replace(QUOTED_CELL, '$1')
    .split(/[\r\n]/, 1);
  const counts = DELIMITERS.map((each) => [each, headings.split(each).length] as const);
  return counts.sort(([, a], [, b]) => b - a)[0]?.[0] ?? ',';
}
