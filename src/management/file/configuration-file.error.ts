import type { FieldError } from '../../errors/domain-error.js';
import { MAX_ERRORS } from '../../errors/errors.js';
import { nearestName } from '../../text/nearest-name.js';
import type { AccountPlan } from './plan.js';

/** Where a key of a file begins: numbers of the line and of the character in it, from 1. */
export type FilePlace = Readonly<Required<Pick<FieldError, 'line' | 'column'>>>;

/**
 * Finds the place of a key of a file by its path, such as `accounts[0].teams[1].members`: where it is not
 * there, that of the nearest around it; undefined where there is none.
 */
export type PlaceOf = (path: string) => FilePlace | undefined;

/**
 * A configuration file that cannot be applied. The message has a line for each failing key, up to as many as
 * an error lists, and the number of the others. Nothing was written, unless it is a PartlyAppliedError.
 */
export class ConfigurationFileError extends Error {
  /** Those that are listed. */
  errors: readonly FieldError[];

  /** @param all also those that are too many to list */
  constructor(readonly all: readonly FieldError[]) {
    const listed = all.slice(0, MAX_ERRORS).map(suggestKey);
    super(textOf(listed, all.length - listed.length));
    this.name = 'ConfigurationFileError';
    this.errors = listed;
  }

  /** The message, with the place before each failing key where it is known. */
  get located(): string {
    const lines = this.errors.map((error) => `${placeText(error)}${textOf([error], 0)}`);
    return [...lines, ...omittedLine(this.all.length - this.errors.length)].join('\n');
  }

  /** Adds the places of the failing keys, where they are not known yet. */
  locate(placeOf: PlaceOf): this {
    this.errors = this.errors.map((error) => {
      if (error.line !== undefined || error.field === undefined) return error;
      return { ...error, ...placeOf(error.field) };
    });
    return this;
  }
}

function placeText({ line, column }: FieldError): string {
  return line === undefined || column === undefined ? '' : `line ${line}, column ${column}: `;
}

function textOf(errors: readonly FieldError[], omitted: number): string {
  const lines = errors.map(({ field, message }) => (field === undefined ? message : `${field}: ${message}`));
  return [...lines, ...omittedLine(omitted)].join('\n');
}

function omittedLine(omitted: number): string[] {
  return omitted > 0 ? [`(and ${omitted} more)`] : [];
}

const STATE = 'The accounts before it are applied, and none from it on';

/** The account that failed: its path in the file, and why. */
interface FailedAccount {
  readonly path: string;
  readonly error: unknown;
}

/** A configuration file of which the first accounts are applied, and the next one failed after the check. */
export class PartlyAppliedError extends ConfigurationFileError {
  /** @param plans of the accounts that are applied */
  constructor(
    readonly plans: readonly AccountPlan[],
    { path, error }: FailedAccount,
  ) {
    super(
      error instanceof ConfigurationFileError
        ? error.all
        : [{ field: path, message: error instanceof Error ? error.message : String(error) }],
    );
    this.name = 'PartlyAppliedError';
    this.cause = error;
    this.message = `${this.message}\n${STATE}`;
  }

  override get located(): string {
    return `${super.located}\n${STATE}`;
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
