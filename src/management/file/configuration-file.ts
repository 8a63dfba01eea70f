import { Type } from 'class-transformer';
import { IsArray, ValidateNested } from 'class-validator';
import type { FieldError } from '../../errors/domain-error.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import { HasDistinctItems } from '../../validation/decorators.js';
import { validateDto } from '../../validation/validate-dto.js';
import { AccountDto } from './account.dto.js';
import { ConfigurationFileError } from './configuration-file.error.js';
import type { PlaceOf } from './file-places.js';
import { placesOf, readYaml } from './read-yaml.js';

/** The configuration file (contract section 5). */
export class ConfigurationFile {
  @IsArray()
  @HasDistinctItems((account: AccountDto) => account.slug)
  @ValidateNested({ each: true })
  @Type(() => AccountDto)
  accounts!: AccountDto[];
}

/** A configuration file, and where its keys are. */
export interface ReadFile {
  /** With what fails, where `errors` has any. */
  readonly file: ConfigurationFile;
  readonly placeOf: PlaceOf;
  /** What is wrong with the file by itself: references are looked at when it is applied. */
  readonly errors: readonly FieldError[];
}

/**
 * Reads a configuration file in YAML (JSON is valid YAML).
 * @throws ConfigurationFileError with the place where the text is not YAML, or no object
 */
export function readConfigurationFile(text: string): ReadFile {
  const value = readYaml(text);
  if (!isPlainObject(value)) {
    throw new ConfigurationFileError([{ message: 'The file must be an object with the key accounts' }]);
  }
  const result = validateDto(ConfigurationFile, value);
  return { file: result.value, placeOf: placesOf(text), errors: result.ok ? [] : result.errors };
}

/**
 * Reads a configuration file that is to be applied as it is.
 * @throws ConfigurationFileError with path and place of every failing key, or with the place where the
 *   text is not YAML
 */
export function parseConfigurationFile(text: string): ConfigurationFile {
  const { file, placeOf, errors } = readConfigurationFile(text);
  if (errors.length > 0) throw new ConfigurationFileError(errors).locate(placeOf);
  return file;
}
