import { InvalidArgumentError, Option } from 'commander';
import { PRESETS } from '../transfer/import/presets.js';
import type { FileRules } from '../transfer/index.js';
import type { FileFormat } from './files.js';

/** Returns the options that say what the columns and cells of a file are. */
export function fileOptions(): readonly Option[] {
  return [
    new Option(
      '--map <column=field>',
      'a column that is not called as its field or its label; "column=" ignores it; "column=company.external_id" has keys of records; may be repeated',
    ).argParser(pairs('column=field, or column= to ignore the column', { isEmptyAllowed: true })),
    new Option(
      '--set <field=value>',
      'a value for all rows, of a field without a column; may be repeated',
    ).argParser(pairs('field=value', { isFirst: true })),
    new Option('--preset <product>', 'headings as a product exports them').choices(PRESETS),
    new Option('--ignore-unknown', 'ignore columns of which nothing is known, and list them'),
    new Option(
      '--decimal <mark>',
      'the decimal mark of numbers, which may have groups of digits and currencies',
    ).choices([',', '.']),
    new Option(
      '--date-format <format>',
      'how dates are written, such as dd/MM/yyyy or MM/dd/yyyy hh:mm a; ISO 8601 is read, too',
    ),
    new Option('--timezone <zone>', 'the IANA zone of dates that say none (default: UTC)'),
    new Option(
      '--skip-invalid <fields>',
      'leave bad values of these fields out, in place of their rows; separated by commas',
    ).argParser(listed),
    new Option(
      '--encoding <name>',
      'of the file, such as windows-1252; UTF-8 unless its first bytes say more',
    ).argParser(readEncoding),
    new Option('--skip-lines <n>', 'lines before the headings that are left out').argParser(readLines),
  ];
}

/** Options of how a file is written, which JSON says by itself. */
const FOR_CSV = ['preset', 'decimal', 'dateFormat', 'timezone', 'encoding', 'skipLines'] as const;

/** @throws Error for an option that the format of the file has not */
export function requireFormat(flags: FileRules, format: FileFormat): void {
  const wrong = FOR_CSV.find((name) => flags[name] !== undefined);
  if (format === 'csv' || wrong === undefined) return;
  const option = wrong.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new Error(`--${option} is for CSV files`);
}

function listed(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(',').map((name) => name.trim())];
}

/** Reads `name=value`. The last `=` divides, as headings may have one and fields have none; or the first. */
function pairs(form: string, how: { readonly isFirst?: true; readonly isEmptyAllowed?: true }) {
  return (text: string, before = new Map<string, string>()): Map<string, string> => {
    const at = how.isFirst ? text.indexOf('=') : text.lastIndexOf('=');
    const [name, value] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1).trim()];
    if (name === '' || (value === '' && !how.isEmptyAllowed))
      throw new InvalidArgumentError(`It must be ${form}.`);
    if (before.has(name)) throw new InvalidArgumentError(`${name} is there twice.`);
    return new Map(before).set(name, value);
  };
}

function readEncoding(text: string): string {
  try {
    return new TextDecoder(text).encoding;
  } catch {
    throw new InvalidArgumentError(
      'It must be an encoding such as utf-8, windows-1252, iso-8859-15, utf-16le, utf-16be or shift_jis.',
    );
  }
}

function readLines(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a number of lines.');
  return Number(text);
}
