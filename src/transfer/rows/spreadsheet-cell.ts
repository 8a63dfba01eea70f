/** What a spreadsheet takes for a formula, whose first character may have the wide form of East Asia. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

const NUMBER = /^-\d+(\.\d+)?$/;

/** Returns a text that is no formula to a spreadsheet: with an apostrophe before it. Numbers stay. */
export function disarmed(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** Returns the text that was disarmed. */
export function rearmed(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
