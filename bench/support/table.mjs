// Prints a table whose columns are as wide as needed, numbers to the right.

/** @returns the lines of a table, with a head */
export function table(head, rows) {
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const isNumber = head.map((_, column) =>
    rows.every((row) => typeof row[column] === 'number' || /^[\d.-]*$/.test(row[column])),
  );
  const line = (row) =>
    row
      .map((cell, column) => (isNumber[column] ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join('  ')
      .trimEnd();
  return all.map(line).join('\n');
}
