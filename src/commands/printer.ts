/** Returns a function that prints a command's result, as one JSON document or as lines of text. */
export function printer(json: boolean): (document: unknown, lines: readonly string[]) => void {
  return (document, lines) => {
    console.log(json ? JSON.stringify(document, null, 2) : lines.join('\n'));
  };
}

/** Returns rows as aligned columns under their headings. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [headings, ...rows].map(line);
}
