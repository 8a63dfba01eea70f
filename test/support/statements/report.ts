import type { Finding } from './judge.js';
import { EVERY_SHARD, HARMLESS, KNOWN, type Exception, type Listed } from './lists.js';

/** A statement that was sent, as collect.cjs notes it. */
export interface Seen {
  readonly name?: string;
  readonly text: string;
  readonly kind: 'request' | 'background' | 'command' | 'other';
  /** The request or the work. */
  readonly by?: string;
}

/** A statement with what was found in it. */
export interface Judged extends Seen {
  readonly findings: readonly Finding[];
}

/** What is allowed. */
export interface Lists {
  readonly everyShard: readonly Listed[];
  readonly known: readonly Exception[];
}

/** The rules that hold for what a request sends alone. */
const OF_REQUESTS = ['node', 'plan', 'reference'];

const LISTS: Lists = { everyShard: EVERY_SHARD, known: [...HARMLESS, ...KNOWN] };

/** A name, or the text. TypeORM's have no name, and name all columns. */
const label = ({ name, text }: Seen): string =>
  name ?? text.replaceAll(/\s+/g, ' ').replace(/^SELECT "\w+"\."\w+" AS .*? FROM "/, 'SELECT … FROM "');

const isOf = (seen: Seen, { statement }: Listed): boolean =>
  statement.endsWith('*') ? label(seen).startsWith(statement.slice(0, -1)) : label(seen) === statement;

/**
 * Whether the service has sent it. Work of a test that is no request and no command may send what it likes,
 * but the statements of the service have names, and those of TypeORM quoted ones.
 */
export const isOfService = ({ name, text, kind }: Seen): boolean =>
  name?.startsWith('test_') !== true &&
  (kind !== 'other' || name !== undefined || /^\w+ (INTO )?"/.test(text));

/**
 * Returns a line for each finding that no list allows, with all who send it, and one for each entry that
 * allows nothing.
 * @param isWhole all statements were seen, so that no entry may be without a finding
 */
export function report(judged: readonly Judged[], isWhole: boolean, lists = LISTS): string[] {
  const used = new Set<Listed>();
  const senders = new Map<string, Set<string>>();
  for (const seen of judged) {
    for (const { rule, message } of seen.findings) {
      if (seen.kind !== 'request' && OF_REQUESTS.includes(rule)) continue;
      const allowed = [
        ...(rule === 'account' && seen.kind !== 'request' ? lists.everyShard : []),
        ...lists.known.filter((entry) => entry.rule === rule),
      ].filter((entry) => isOf(seen, entry));
      for (const entry of allowed) used.add(entry);
      if (allowed.length > 0) continue;
      const line = `${rule}: ${message}\n    ${label(seen).slice(0, 120)}`;
      senders.set(line, (senders.get(line) ?? new Set()).add(seen.by ?? seen.kind));
    }
  }
  const lines = [...senders].map(([line, by]) => `${line} (${[...by].slice(0, 3).join(', ')})`);
  const unused = [...lists.everyShard, ...lists.known].filter((entry) => isWhole && !used.has(entry));
  return [
    ...lines,
    ...unused.map(({ statement }) => `list: nothing is found in ${statement} any more`),
  ].toSorted();
}
