import type { Document, LineCounter } from 'yaml';
import type { FieldError } from '../../errors/domain-error.js';
import { duplicateKeys } from './duplicate-keys.js';

/** Characters of a line that are shown around a failure. */
const SHOWN = 80;

/** What yaml says to programmers, in words for people. */
const MESSAGES: ReadonlyMap<string, string> = new Map([['MULTIPLE_DOCS', 'The file must be one document']]);

/** A text, and what yaml has read of it, without its own check of keys and without its own pretty errors. */
interface Read {
  readonly text: string;
  readonly document: Document.Parsed;
  readonly lineCounter: LineCounter;
}

/**
 * Names the failures of a YAML text in their order, each with its place and what stands there. The errors of
 * yaml show the same, but each takes time in proportion to the length of its line.
 */
export function yamlFailures({ text, document, lineCounter }: Read): FieldError[] {
  const failures = [
    ...document.errors.map(({ pos: [at], code, message }) => ({
      at,
      message: MESSAGES.get(code) ?? message,
    })),
    ...duplicateKeys(document).map((at) => ({ at, message: 'Map keys must be unique' })),
  ];
  failures.sort((one, other) => one.at - other.at);
  return failures.map(({ at, message }) => {
    const { line, col } = lineCounter.linePos(Math.max(at, 0));
    const place = `${message} at line ${line}, column ${col}`;
    return { line, column: col, message: `${place}${excerpt(text, at, col)}` };
  });
}

/** The line around an offset, with a mark below it; empty where nothing stands there. */
function excerpt(text: string, at: number, column: number): string {
  const before = Math.min(column - 1, SHOWN / 2);
  const [shown = ''] = text.slice(at - before, at - before + SHOWN).split(/[\r\n]/);
  return shown.trim() === '' ? '' : `:\n\n${shown}\n${' '.repeat(before)}^`;
}
