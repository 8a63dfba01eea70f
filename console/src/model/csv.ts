/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** A CSV file (RFC 4180) for spreadsheets: no text of it is taken for a formula. */
export function toCsv(
  headings: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  return [headings, ...rows].map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n';
}

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
