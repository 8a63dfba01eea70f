import { REJECT_COLUMNS } from './source-row.js';

const ADDED: readonly string[] = [REJECT_COLUMNS.line, REJECT_COLUMNS.error];

/** The reason for which a row is refused that has too many or too few cells. */
const WRONG_NUMBER = /^The row has (\d+) cells, and the headings are (\d+)$/;

function wrongNumber(cells: number, headings: number): string {
  return `The row has ${cells} cells, and the headings are ${headings}`;
}

/** A reason that stands in a row of a file of rejected rows. */
interface GivenReason {
  readonly text: string;
  /** How many cells of its own the row had. */
  readonly count: number;
  /** How many headings the file had. */
  readonly headings: number;
  /** How many cells stand before line and reason. */
  readonly before: number;
}

/**
 * The cells of the rows of a CSV file without line and reason of an earlier import. A row that has too many
 * or too few cells keeps all of them: line and reason stand behind them, and are found by the reason.
 */
export class OwnCells {
  /** The headings without those of line and reason. */
  readonly headings: readonly string[];
  /** As many empty cells. */
  readonly empty: readonly string[];
  private readonly indexes: readonly number[];
  /** Whether line and reason stand behind all other cells, as this service writes them. */
  private readonly areAddedLast: boolean;

  constructor(private readonly all: readonly string[]) {
    this.indexes = all.flatMap((heading, index) => (ADDED.includes(heading) ? [] : [index]));
    this.headings = this.indexes.map((index) => all[index] ?? '');
    this.empty = this.headings.map(() => '');
    this.areAddedLast = ADDED.every((name, index) => all[this.headings.length + index] === name);
  }

  /** Returns the cells of a row that are its own. */
  of(cells: readonly string[]): readonly string[] {
    const reason = this.givenReason(cells);
    if (reason !== undefined) return cells.slice(0, reason.before);
    return cells.length === this.all.length ? this.indexes.map((index) => cells[index] ?? '') : cells;
  }

  /** Says that a row has too many or too few cells. Line and reason may be left out behind them. */
  problem(cells: readonly string[]): string | undefined {
    const reason = this.givenReason(cells);
    // Such a row is as it was refused. Its file may have had line and reason in other places, and so other
    // headings than these, which are of a file of rejects.
    if (reason !== undefined && reason.before === reason.count && this.isOfThese(reason)) return reason.text;
    const own = this.of(cells).length;
    if (!this.areAddedLast)
      return cells.length === this.all.length ? undefined : wrongNumber(own, this.all.length);
    return own === this.headings.length ? undefined : wrongNumber(own, this.headings.length);
  }

  /** Whether the headings are still those by which a row was refused: somebody may have corrected them. */
  private isOfThese({ headings }: GivenReason): boolean {
    return headings === this.headings.length || headings === this.all.length;
  }

  /** Finds the reason as the last cell that is not empty: spreadsheets fill short rows up. */
  private givenReason(cells: readonly string[]): GivenReason | undefined {
    if (!this.areAddedLast) return undefined;
    const index = cells.findLastIndex((cell) => cell !== '');
    const text = cells[index] ?? '';
    const [, count, headings] = WRONG_NUMBER.exec(text) ?? [];
    if (count === undefined || !/^\d+$/.test(cells[index - 1] ?? '')) return undefined;
    return { text, count: Number(count), headings: Number(headings), before: index - 1 };
  }
}
