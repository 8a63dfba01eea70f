const TRUE: ReadonlySet<string> = new Set(['true', 't', 'yes', 'y', 'on', '1']);
const FALSE: ReadonlySet<string> = new Set(['false', 'f', 'no', 'n', 'off', '0']);

/** Reads a boolean as spreadsheets, databases and people write it; undefined for another text. */
export function readBool(cell: string): boolean | undefined {
  const word = cell.trim();
  if (word.length > 'false'.length) return undefined;
  const lower = word.toLowerCase();
  return TRUE.has(lower) ? true : FALSE.has(lower) ? false : undefined;
}
