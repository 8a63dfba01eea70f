import type { FieldError } from '../../errors/domain-error.js';
import { MAX_ERRORS } from '../../errors/errors.js';
import type { LineOf } from './file-lines.js';

/**
 * A configuration file that cannot be applied. The message has a line for each failing key, up to as many as
 * an error lists, and the number of the others. Nothing was written.
 */
export class ConfigurationFileError extends Error {
  errors: readonly FieldError[];
  private readonly omitted: number;

  constructor(errors: readonly FieldError[]) {
    const listed = errors.slice(0, MAX_ERRORS);
    const omitted = errors.length - listed.length;
    super(textOf(listed, omitted));
    this.name = 'ConfigurationFileError';
    this.errors = listed;
    this.omitted = omitted;
  }

  /** The message, with the number of the line before each failing key where it is known. */
  get located(): string {
    const errors = this.errors.map(({ line, ...error }) => [line, textOf([error], 0)] as const);
    const lines = errors.map(([line, text]) => (line === undefined ? text : `line ${line}: ${text}`));
    return [...lines, ...omittedLine(this.omitted)].join('\n');
  }

  /** Adds the lines of the failing keys, where they are not known yet. */
  locate(lineOf: LineOf): this {
    this.errors = this.errors.map((error) => {
      const line = error.line ?? (error.field === undefined ? undefined : lineOf(error.field));
      return line === undefined ? error : { ...error, line };
    });
    return this;
  }
}

function textOf(errors: readonly FieldError[], omitted: number): string {
  const lines = errors.map(({ field, message }) => (field === undefined ? message : `${field}: ${message}`));
  return [...lines, ...omittedLine(omitted)].join('\n');
}

function omittedLine(omitted: number): string[] {
  return omitted > 0 ? [`(and ${omitted} more)`] : [];
}
