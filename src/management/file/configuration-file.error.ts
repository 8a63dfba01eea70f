import type { FieldError } from '../../errors/domain-error.js';
import { MAX_ERRORS } from '../../errors/errors.js';
import { nearestName } from '../../text/nearest-name.js';
import type { AccountPlan } from './plan.js';

/** Where a key of a file begins: numbers of the line and of the character in it, from 1. */
export type FilePlace = Readonly<Required<Pick<FieldError, 'line' | 'column'>>>;

/** Finds the place of a key by its path, `accounts[0].teams[1]`, or of what is around it, if anything */
export type PlaceOf = (path: string) => FilePlace | undefined;

/**
 * A configuration file that cannot be applied. The message has a line for each failing key, up to as many as
 * an error lists, and the number of the others. Nothing was written, unless it is a PartlyAppliedError.
 */
export class ConfigurationFileError extends Error {
  /** Those that are listed. */
  errors: readonly FieldError[];

  /** @param all also those that are too many to list @param state what has become of the accounts */
  constructor(
    readonly all: readonly FieldError[],
    private readonly state?: string,
  ) {
    super();
    this.name = new.target.name;
    this.errors = all.slice(0, MAX_ERRORS).map(suggestKey);
    this.message = this.linesWith(() => '');
  }

  /** The message, with the place before each failing key where it is known. */
  get located(): string {
    return this.linesWith(({ line, column }) =>
      line === undefined || column === undefined ? '' : `line ${line}, column ${column}: `,
    );
  }

  /** Adds the places of the failing keys, where they are not known yet. */
  locate(placeOf: PlaceOf): this {
    this.errors = this.errors.map((error) => {
      const { line, field } = error;
      return line !== undefined || field === undefined ? error : { ...error, ...placeOf(field) };
    });
    return this;
  }

  private linesWith(placeOf: (error: FieldError) => string): string {
    const omitted = this.all.length - this.errors.length;
    const lines = this.errors.map((error) => {
      const key = error.field === undefined ? '' : `${error.field}: `;
      return `${placeOf(error)}${key}${error.message}`;
    });
    if (omitted > 0) lines.push(`(and ${omitted} more)`);
    return [...lines, ...(this.state === undefined ? [] : [this.state])].join('\n');
  }
}

/** A configuration file of which the first accounts are applied, and the next one failed after the check. */
export class PartlyAppliedError extends ConfigurationFileError {
  /** @param plans of the accounts that are applied @param path of the one that failed, in the file */
  constructor(
    readonly plans: readonly AccountPlan[],
    path: string,
    error: unknown,
  ) {
    const message = error instanceof Error ? error.message : String(error);
    super(
      error instanceof ConfigurationFileError ? error.all : [{ field: path, message }],
      'The accounts before it are applied, and none from it on',
    );
    this.cause = error;
  }
}

/** The message of a key that is not known, which lists those that are. */
const UNKNOWN_KEY = /^Unknown key: (.{1,60}) \(((?:allowed|known): ([\w, ]+))\)$/;

/** Returns a failure of a file with the key that was meant, where it is of one near to a known one. */
function suggestKey(error: FieldError): FieldError {
  const [, key = '', list = '', names = ''] = UNKNOWN_KEY.exec(error.message) ?? [];
  const nearest = nearestName(key, names.split(', '));
  if (nearest === undefined) return error;
  return { ...error, message: `Unknown key: ${key} (did you mean ${nearest}? ${list})` };
}
