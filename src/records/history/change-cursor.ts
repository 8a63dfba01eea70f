import { cursorOfText, textOfCursor } from '../../paging/index.js';
import { textProblem } from '../../text/text-problem.js';

/** A change of a field among those of its record. */
export interface ChangePlace {
  /** Microseconds since 1970. */
  readonly us: string;
  readonly field: string;
}

/** The most characters of a cursor. */
export const MOST_CURSOR = 1_000;

const FORM = /^(\d{1,16}) (.+)$/s;

/** Returns the opaque text that stands for the place behind a change. */
export function cursorBehindChange({ us, field }: ChangePlace): string {
  return cursorOfText(`${us} ${field}`);
}

/** Returns the change that a cursor stands behind; undefined for a text that is no cursor. */
export function changeOfCursor(cursor: string): ChangePlace | undefined {
  const text = textOfCursor(cursor, MOST_CURSOR);
  if (text === undefined || textProblem(text) !== undefined) return undefined;
  const [, us, field] = FORM.exec(text) ?? [];
  return us === undefined || field === undefined ? undefined : { us, field };
}
