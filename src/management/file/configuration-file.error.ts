import type { FieldError } from '../../errors/domain-error.js';
import { MAX_ERRORS } from '../../errors/errors.js';
import type { LineOf } from './file-lines.js';

/**
 * A configuration file that cannot be applied. The message has a line for each failing key, up to as many as
 * an error lists, and the number of the others. Nothing was written.
 */
export class ConfigurationFileError extends Error {
  errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    const listed = errors.slice(0, MAX_ERRORS);
    const lines = listed.map(({ field, message }) =>
      field === undefined ? message : `${field}: ${message}`,
    );
    if (errors.length > listed.length) lines.push(`(and ${errors.length - listed.length} more)`);
    super(lines.join('\n'));
    this.name = 'ConfigurationFileError';
    this.errors = listed;
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
