import type { FieldError } from '../../errors/domain-error.js';
import { comparedEmail, comparedName } from '../../validation/compared.js';
import type { AccountDto } from './account.dto.js';
import type { ConfigurationFile } from './configuration-file.js';

/** The keys without which an item of a section means nothing. The first of a user or team refers to it. */
const NEEDED = {
  users: ['email'],
  teams: ['name'],
  fields: ['object_type', 'internal_name'],
  capacities: ['name', 'object_type', 'field', 'values'],
  routers: ['name'],
} as const;
type Section = keyof typeof NEEDED;
const SECTIONS = Object.keys(NEEDED) as readonly Section[];

type Item = Readonly<Record<string, unknown>>;

/** What of a file that is refused can still be looked at, to find what else is wrong with it. */
export interface SoundFile {
  readonly file: ConfigurationFile;
  /** Returns the path in the file that was read of a path in `file`. */
  readonly pathOf: (path: string) => string;
}

/**
 * Returns a refused file without the keys that fail, without items that mean nothing then, and without the
 * second of those that are named twice.
 * @param errors with the paths of the keys that fail
 */
export function soundFile({ accounts }: ConfigurationFile, errors: readonly FieldError[]): SoundFile {
  const failing = new Set(errors.map(({ field = '' }) => failingKey(field)));
  const paths = new Map<string, string>();
  const sound: AccountDto[] = [];
  const slugs = new Set<string>();
  for (const [index, account] of listOf(accounts).entries()) {
    const path = `accounts[${index}]`;
    const { slug } = account as unknown as AccountDto;
    if (failing.has(`${path}.slug`) || typeof slug !== 'string' || slugs.has(slug)) continue;
    slugs.add(slug);
    paths.set(`accounts[${sound.length}]`, path);
    sound.push(soundAccount(account, { path, at: `accounts[${sound.length}]`, failing, paths }));
  }
  return { file: { accounts: sound }, pathOf: (path) => translated(path, paths) };
}

interface Place {
  /** Of the account in the file that was read, and in the sound one. */
  readonly path: string;
  readonly at: string;
  readonly failing: ReadonlySet<string>;
  readonly paths: Map<string, string>;
}

function soundAccount(account: Item, { path, at, failing, paths }: Place): AccountDto {
  const values = without(account, (key) => key in NEEDED || failing.has(`${path}.${key}`));
  for (const section of SECTIONS) {
    if (!Array.isArray(account[section])) continue;
    const items: Item[] = [];
    const names = new Set<string>();
    for (const [index, item] of listOf(account[section]).entries()) {
      const place = `${path}.${section}[${index}]`;
      const rest = without(item, (key) => failing.has(`${place}.${key}`));
      const name = JSON.stringify(NEEDED[section].slice(0, 2).map((key) => compared(section, rest[key])));
      if (NEEDED[section].some((key) => rest[key] === undefined) || names.has(name)) continue;
      names.add(name);
      paths.set(`${at}.${section}[${items.length}]`, place);
      items.push(rest);
    }
    values[section] = items;
  }
  return values as unknown as AccountDto;
}

/** Returns the name of an item in the form in which such names are compared. */
function compared(section: Section, name: unknown): unknown {
  if (section === 'users') return comparedEmail(name);
  return section === 'teams' || section === 'routers' ? comparedName(name) : name;
}

/** Returns the key of an account or of an item that contains the key of a path. */
function failingKey(path: string): string {
  return /^accounts\[\d+\]\.\w+(?:\[\d+\](?:\.\w+)?)?/.exec(path)?.[0] ?? path;
}

function translated(path: string, paths: ReadonlyMap<string, string>): string {
  const [item, account] = /^(accounts\[\d+\])(?:\.\w+\[\d+\])?/.exec(path) ?? [];
  for (const known of [item, account]) {
    const found = known === undefined ? undefined : paths.get(known);
    if (known !== undefined && found !== undefined) return found + path.slice(known.length);
  }
  return path;
}

function without(item: Item, isLeftOut: (key: string) => boolean): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).filter(([key]) => !isLeftOut(key)));
}

function listOf(value: unknown): Item[] {
  const list: unknown[] = Array.isArray(value) ? value : [];
  return list.map((item) => (typeof item === 'object' && item !== null ? (item as Item) : {}));
}

/** Whether what is wrong at a path is told already: something at the same key of the same item is. */
export function isTold(path: string, errors: readonly FieldError[]): boolean {
  const key = failingKey(path);
  return errors.some(({ field = '' }) => failingKey(field) === key);
}
