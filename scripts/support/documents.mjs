// The blocks of a document that are commands, and what they print.
import { format } from 'prettier';

const BLOCK = /^(<!-- not run: [^\n]* -->\n\n)?^```(\w*)\n([^]*?)^```$/gm;

/**
 * Returns the commands of a document in their order, without the blocks behind a comment `<!-- not run: why -->`:
 * of a `sh` block all, with the `json` or plain block that follows as what its last line prints; of a `console`
 * block each by itself, which may fail, with what stands below it; and of a `yaml` block that begins with `# name.yaml` that file.
 * @returns commands with `script`, their `line`, and, where it is said what they print, `expected` from `at` on
 */
export function commandsOf(markdown) {
  const commands = [];
  let before;
  for (const match of markdown.matchAll(BLOCK)) {
    const [all, left, language, text] = match;
    const at = match.index + all.length - '```'.length - text.length;
    const command = { script: text, line: lineOf(markdown, at) };
    const file = /^# (\S+\.yaml)\n/.exec(text)?.[1];
    if (['json', ''].includes(language) && before !== undefined)
      Object.assign(before, { at, expected: text });
    before = language === 'sh' && left === undefined ? command : undefined;
    if (before !== undefined) commands.push(before);
    else if (language === 'console' && left === undefined)
      commands.push(...sessionOf(markdown, { text, at }));
    else if (language === 'yaml' && file !== undefined) {
      commands.push({ ...command, script: `cat > ${file} <<'END OF FILE'\n${text}END OF FILE\n` });
    }
  }
  return commands;
}

/** The commands of a session: each begins with `$ `, and goes on in the lines below that are indented by four. */
function sessionOf(markdown, { text, at }) {
  return [...text.matchAll(/^\$ ([^\n]*\n(?: {4,}[^\n]*\n)*)((?:(?!\$ )[^\n]*\n)*)/gm)].map((match) => {
    const [all, script, expected] = match;
    const from = at + match.index;
    return {
      script,
      mayFail: true,
      expected,
      at: from + all.length - expected.length,
      line: lineOf(markdown, from),
    };
  });
}

const lineOf = (text, at) => text.slice(0, at).split('\n').length;

/** What differs each time, and a word for it. */
const VARIES = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>'],
  [/(\\?")\d{16}-[0-9a-f]{8}\\?"/g, '$1<etag>$1'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/g, '<time>'],
  [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000/g, '<time>'],
  [/("next": )"[\w-]{20,}"/g, '$1"<cursor>"'],
  [/\beyJ[\w-]+(\.[\w-]+)*…?/g, '<token>'],
  // Whose turn it is in the demo account depends on the hour.
  [/\b[a-z]+@demo\.test\b/g, '<person>'],
  [/(client_secret"?: *"?)([\w-]{43}|…)/g, '$1<secret>'],
];

/** What is printed, without what differs each time, in one form where it is JSON. */
export function comparable(text) {
  const json = parsed(text);
  const plain = json === undefined ? text.trim().replaceAll('\r', '') : JSON.stringify(json, null, 1);
  return VARIES.reduce((all, [pattern, word]) => all.replace(pattern, word), plain);
}

/** What is printed as a document shows it. */
export async function shown(text) {
  if (parsed(text) === undefined) return `${text.trim().replaceAll('\r', '')}\n`;
  return format(text, { parser: 'json', printWidth: 110 });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
