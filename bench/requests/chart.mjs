// A chart of the ratios to node:http, as SVG.

const NAMES = ['Fairlead', 'Express', 'PostgREST'];
const COLOURS = { Fairlead: '#1f6feb', Express: '#8b949e', PostgREST: '#c9d1d9' };
const [LEFT, BAR, GAP, SCALE] = [150, 14, 14, 420];

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** @returns the text of the chart, for the operations that node:http has too */
export function chart({ rows }) {
  const compared = rows.filter(
    (row) => NAMES.includes(row.server) && row.base === undefined && row.ratio !== undefined,
  );
  const groups = [...new Set(compared.map(({ operation, size }) => JSON.stringify([operation, size])))];
  const parts = [];
  let y = 40;
  for (const key of groups) {
    const [operation, size] = JSON.parse(key);
    parts.push(text(LEFT - 10, y + BAR - 3, { anchor: 'end', content: `${operation}, ${size}` }));
    for (const name of NAMES) {
      const row = compared.find(
        (each) => each.operation === operation && each.size === size && each.server === name,
      );
      if (row === undefined) continue;
      const width = Math.round(Math.min(row.ratio, 1.5) * SCALE * 0.66);
      parts.push(`<rect x="${LEFT}" y="${y}" width="${width}" height="${BAR}" fill="${COLOURS[name]}"/>`);
      parts.push(text(LEFT + width + 6, y + BAR - 3, { content: `${row.ratio.toFixed(2)} ${name}` }));
      y += BAR + 2;
    }
    y += GAP;
  }
  const one = LEFT + Math.round(SCALE * 0.66);
  const line = `<line x1="${one}" y1="30" x2="${one}" y2="${y - GAP}" stroke="#da3633" stroke-dasharray="3 3"/>`;
  const title = text(LEFT, 20, { content: 'Requests per second, node:http and pg = 1' });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="${y}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#ffffff"/>
${[title, line, ...parts].join('\n')}
</svg>
`;
}

function text(x, y, { anchor = 'start', content }) {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}">${escaped(content)}</text>`;
}
