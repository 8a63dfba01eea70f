import type { FieldError } from '../../errors/domain-error.js';

/**
 * A configuration file that cannot be applied. The message has a line for each failing key. Nothing was
 * written.
 */
export class ConfigurationFileError extends Error {
  constructor(readonly errors: readonly FieldError[]) {
    super(
      errors.map(({ field, message }) => (field === undefined ? message : `${field}: ${message}`)).join('\n'),
    );
    this.name = 'ConfigurationFileError';
  }
}
