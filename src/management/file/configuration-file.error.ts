import type { FieldError } from '../../errors/domain-error.js';
import { MAX_ERRORS } from '../../errors/errors.js';
import type { PlaceOf } from './file-places.js';
import { suggestKey } from './suggest-key.js';

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
