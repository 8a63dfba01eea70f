// The picture of a decision: every step of its trace, as SVG.

const [WIDTH, LEFT, TEXT, NOTE, LINE] = [760, 24, 200, 420, 22];
const [GREEN, GREY, DARK, BLUE] = ['#1a7f37', '#8b949e', '#1f2328', '#1f6feb'];

/** What a line of the picture shows. @param note stands in a column of its own */
const line = (text, note = '', { held, strong = false, share } = {}) => ({ text, note, held, strong, share });

const word = (value) => (Array.isArray(value) ? value.join(', ') : String(value));
const sentence = (text) => text.replaceAll('_', ' ');
const person = (email) => email.replace(/@.*/, '').replace(/^./, (first) => first.toUpperCase());

const conditions = (groups) =>
  groups
    .flat()
    .map(({ field, operator, value, saw, held }) =>
      line(`${field} ${operator} ${word(value)}`, `saw ${saw}`, { held }),
    );

const STEPS = {
  trigger: ({ groups }) => ['Does it match?', conditions(groups)],
  overwrite: ({ field, because, allowed }) => [
    'Is it free?',
    [line(field, sentence(because), { held: allowed })],
  ],
  rules: ({ matched, groups, first_passed_over = [], saw = [] }) => [
    'Which rule?',
    [
      ...first_passed_over.map(([name, ...failed]) =>
        line(`Rule ${name}`, `${failed.join(', ')}: saw ${saw.map(([, value]) => value).join(', ')}`, {
          held: false,
        }),
      ),
      ...conditions(groups).map((each) =>
        line(`Rule ${matched}`, `${each.text}: ${each.note}`, { held: each.held }),
      ),
    ],
  ],
  eligibility: ({ in: eligible, out }) => [
    'Who can take it?',
    [
      ...eligible.map((user) => line(person(user), 'can', { held: true })),
      ...out.flatMap(({ reasons, users, saw = [] }) =>
        users.map((user, index) =>
          line(person(user), [reasons.map(sentence).join(', '), saw[index]].filter(Boolean).join(': '), {
            held: false,
          }),
        ),
      ),
    ],
  ],
  distribution: ({ chosen, columns, rows }) => [
    'Whose turn?',
    rows.map((row) => {
      const { candidate, share, credit } = Object.fromEntries(
        columns.map((name, index) => [name, row[index]]),
      );
      const owed = credit < 0 ? `has had ${-credit} turns too many` : `is owed ${credit} of a turn`;
      return line(person(candidate), `share ${share}, ${owed}`, {
        held: candidate === chosen,
        strong: candidate === chosen,
      });
    }),
  ],
};

/**
 * @param decision what was asked, and the answer of a simulation
 * @returns the text of the picture
 * @throws for a step that it cannot show
 */
export function pictureOf({ asked, answer }) {
  const { first_name, last_name, ...others } = asked.fields;
  const parts = [
    text(LEFT, 34, `Who gets ${first_name} ${last_name}?`, { size: 18, weight: 600 }),
    text(
      LEFT,
      56,
      `${Object.entries(others)
        .map((pair) => pair.join(' '))
        .join(', ')} · ${asked.at.slice(0, 16).replace('T', ' ')} UTC`,
      {
        colour: GREY,
      },
    ),
  ];
  let y = 92;
  for (const step of answer.trace) {
    const show = STEPS[step.step];
    if (show === undefined) throw new Error(`The picture has no form for the step ${step.step}`);
    const [title, lines] = show(step);
    parts.push(`<line x1="${LEFT}" y1="${y - 17}" x2="${WIDTH - LEFT}" y2="${y - 17}" stroke="#d0d7de"/>`);
    parts.push(text(LEFT, y, title, { weight: 600 }));
    for (const { text: what, note, held, strong } of lines) {
      const colour = held ? DARK : GREY;
      parts.push(text(TEXT - 18, y, held ? '✓' : '✗', { colour: held ? GREEN : GREY }));
      parts.push(
        text(TEXT, y, what, { colour, weight: strong ? 600 : 400 }),
        text(NOTE, y, note, { colour }),
      );
      y += LINE;
    }
    y += 14;
  }
  parts.push(
    `<rect x="${LEFT}" y="${y - 14}" width="${WIDTH - 2 * LEFT}" height="34" rx="6" fill="#ddf4ff"/>`,
  );
  parts.push(
    text(LEFT + 12, y + 8, `${person(answer.user)} gets the contact`, { colour: BLUE, weight: 600 }),
  );
  parts.push(text(NOTE, y + 8, `reason: ${answer.reason}`, { colour: BLUE }));
  const height = y + 36;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="14">
<rect width="100%" height="100%" fill="#ffffff"/>
${parts.join('\n')}
</svg>
`;
}

function text(x, y, content, { colour = DARK, size = 14, weight = 400 } = {}) {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x}" y="${y}" fill="${colour}" font-size="${size}" font-weight="${weight}">${escaped}</text>`;
}
