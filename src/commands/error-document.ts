import { CommanderError } from 'commander';
import { DomainError, type FieldError } from '../errors/domain-error.js';
import { ConfigurationFileError } from '../management/file/configuration-file.error.js';
import { InvalidEnvironmentError } from '../settings/invalid-environment.error.js';

/** What failed in a part of the input of a command. */
interface FailedPart {
  /** A key of a file, or an environment variable; null where it is none of them. */
  readonly path: string | null;
  /** Number of the line of a file, from 1; null where it is not known. */
  readonly line: number | null;
  /** Number of the character in the line, from 1; absent where it is not known. */
  readonly column?: number;
  readonly message: string;
}

/** The document of a command that has failed (contract section 5). */
export interface ErrorDocument {
  /** `errors` has at least one entry. */
  readonly error: { readonly message: string; readonly errors: readonly FailedPart[] };
}

/** Returns what a command prints with `--json` when it fails. */
export function errorDocument(error: unknown): ErrorDocument {
  const message = messageOf(error);
  const parts = partsOf(error).map((part) => ({
    path: part.field ?? null,
    line: part.line ?? null,
    ...(part.column !== undefined && { column: part.column }),
    message: part.message,
  }));
  return { error: { message, errors: parts.length > 0 ? parts : [{ path: null, line: null, message }] } };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof CommanderError)) return error.message || error.name;
  if (error.code === 'commander.help') return 'A command is missing: --help lists them';
  return error.message.replace(/^error: /, '');
}

function partsOf(error: unknown): readonly FieldError[] {
  if (error instanceof DomainError) return error.details.errors ?? [];
  if (error instanceof ConfigurationFileError || error instanceof InvalidEnvironmentError)
    return error.errors;
  return [];
}
