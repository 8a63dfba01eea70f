/** A row of cells, or what cannot be read as one, and why. */
export type CsvRow = CsvPlace & ({ readonly cells: readonly string[] } | { readonly problem: string });

interface CsvPlace {
  /** Number of its first line, from 1. */
  readonly line: number;
  /** The row as it was written, without its line end; null where it is too large to be kept. */
  readonly text: string | null;
}

/** How rows are read. */
export interface CsvDialect {
  /** One ASCII character. */
  readonly delimiter: string;
  /** Number of the line at which reading begins. */
  readonly line: number;
  /** The most characters of a row. */
  readonly most: number;
}

const [TAB, LF, CR, SPACE, QUOTE] = [9, 10, 13, 32, 34] as const;

const LINE_END = /\r\n?|\n/g;

const NOT_CLOSED = 'A quote that begins in this row is not closed';
const QUOTE_INSIDE = 'The row has a quote inside a cell in quotes: write "" for it';

/**
 * Reads rows of cells from a text that comes in parts (RFC 4180, and what people write beside it). Each
 * character may stand for a byte.
 *
 * - CRLF, LF and CR each end a row. In quotes they are content.
 * - A cell is quoted if it begins with a quote. Spaces and tabs around the quotes are dropped. In any other
 *   cell a quote is a character.
 * - A row that has a quoted cell which is not closed, or text behind the quote that closes one, is given back
 *   with the problem. It ends at the first line end behind the beginning of that cell. So does a row that is
 *   too large, with the cell that goes beyond.
 *
 * The time is linear, whatever the text is. Only cells that fail are read again, and each once: all runs of
 * quotes in one are even, so a cell that begins in it with quotes ends with them. A row whose end has not
 * come is read again when as much has been added as there was of it.
 */
export class CsvRows {
  private readonly delimiter: number;
  private readonly most: number;
  private line: number;
  /** What has not been read, and where in it the next row begins. */
  private text = '';
  private at = 0;
  private parts: string[] = [];
  private added = 0;
  private isLast = false;
  /** Whether a row was too large, and its line end has not come. */
  private isSkipping = false;
  private value = '';

  constructor({ delimiter, line, most }: CsvDialect) {
    this.delimiter = delimiter.charCodeAt(0);
    this.line = line;
    this.most = most;
  }

  /** Adds a part of the text. @returns the rows that are complete */
  *add(part: string): Generator<CsvRow> {
    this.parts.push(part);
    this.added += part.length;
    if (this.added >= this.text.length) yield* this.complete();
  }

  /** Ends the text. @returns the rows that are left */
  *end(): Generator<CsvRow> {
    this.isLast = true;
    yield* this.complete();
  }

  private *complete(): Generator<CsvRow> {
    this.text += this.parts.join('');
    [this.parts, this.added] = [[], 0];
    for (let row = this.next(); row !== undefined; row = this.next()) yield row;
    this.text = this.text.slice(this.at);
    this.at = 0;
  }

  /** Reads a row. @returns undefined where nothing is left, or its end has not come */
  private next(): CsvRow | undefined {
    if (this.isSkipping) this.skip();
    const { text, at: start, most } = this;
    if (this.isSkipping || start === text.length) return undefined;
    const cells: string[] = [];
    for (let from = start; ;) {
      const at = this.cell(from);
      if (at - start > most) return this.failed(from, this.tooLarge());
      if (at < 0) {
        const isTooLarge = text.length - start > most + 1;
        if (!isTooLarge && !this.isLast) return undefined;
        return this.failed(from, isTooLarge ? this.tooLarge() : NOT_CLOSED);
      }
      if (this.isOpen(at)) return undefined;
      const code = text.charCodeAt(at);
      if (at < text.length && code !== this.delimiter && code !== LF && code !== CR)
        return this.failed(from, QUOTE_INSIDE);
      cells.push(this.value);
      if (code !== this.delimiter) return { ...this.take(at), cells };
      from = at + 1;
    }
  }

  /** Reads a cell into `value`. @returns the place behind it; -1 where it is not closed */
  private cell(from: number): number {
    const { text, delimiter } = this;
    let at = this.behindPadding(from);
    if (text.charCodeAt(at) !== QUOTE) {
      for (; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (code === delimiter || code === LF || code === CR) break;
      }
      this.value = text.slice(from, at);
      return at;
    }
    let close = text.indexOf('"', at + 1);
    while (close >= 0 && text.charCodeAt(close + 1) === QUOTE) close = text.indexOf('"', close + 2);
    if (close < 0) return -1;
    const value = text.slice(at + 1, close);
    this.value = value.includes('"') ? value.replaceAll('""', '"') : value;
    return this.behindPadding(close + 1);
  }

  private behindPadding(from: number): number {
    for (let at = from; ; at++) {
      const code = this.text.charCodeAt(at);
      if ((code !== SPACE && code !== TAB) || code === this.delimiter) return at;
    }
  }

  /** Whether what is added may change what stands at a place: a line feed behind a carriage return, too. */
  private isOpen(at: number): boolean {
    if (this.isLast) return false;
    return at >= this.text.length || (at + 1 === this.text.length && this.text.charCodeAt(at) === CR);
  }

  /** Ends a row that cannot be read at the first line end behind a place. */
  private failed(from: number, problem: string): CsvRow | undefined {
    const end = this.lineEnd(from);
    if (!this.isOpen(end)) return { ...this.take(end), problem };
    if (this.text.length - this.at <= this.most + 1) return undefined;
    const line = this.line;
    this.line += breaksIn(this.text.slice(this.at, from));
    [this.at, this.isSkipping] = [end, true];
    return { line, text: null, problem };
  }

  /** Leaves out what is left of a row that was too large. */
  private skip(): void {
    this.at = this.lineEnd(this.at);
    this.isSkipping = this.isOpen(this.at);
    if (!this.isSkipping) this.take(this.at);
  }

  /** Goes behind the line end at a place. */
  private take(end: number): CsvPlace {
    const { line, at: start } = this;
    const text = this.text.slice(start, end);
    this.line += (text.includes('"') ? breaksIn(text) : 0) + 1;
    const isPair = this.text.charCodeAt(end) === CR && this.text.charCodeAt(end + 1) === LF;
    this.at = Math.min(end + (isPair ? 2 : 1), this.text.length);
    return { line, text: text.length > this.most ? null : text };
  }

  private lineEnd(from: number): number {
    for (let at = from; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at);
      if (code === LF || code === CR) return at;
    }
    return this.text.length;
  }

  private tooLarge(): string {
    return `The row has more than ${this.most} bytes`;
  }
}

function breaksIn(text: string): number {
  return text.match(LINE_END)?.length ?? 0;
}
