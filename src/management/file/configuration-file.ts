import { Type } from 'class-transformer';
import { ArrayUnique, IsArray, ValidateNested } from 'class-validator';
import { isPlainObject } from '../../text/is-plain-object.js';
import { validateDto } from '../../validation/validate-dto.js';
import { AccountDto } from './account.dto.js';
import { ConfigurationFileError } from './configuration-file.error.js';
import type { LineOf } from './file-lines.js';
import { linesOf, readYaml } from './read-yaml.js';

/** The configuration file (contract section 5). */
export class ConfigurationFile {
  @IsArray()
  @ArrayUnique((account: AccountDto) => account.slug, { message: 'accounts must not name one twice' })
  @ValidateNested({ each: true })
  @Type(() => AccountDto)
  accounts!: AccountDto[];
}

/** A configuration file, and where its keys are. */
export interface ReadFile {
  readonly file: ConfigurationFile;
  readonly lineOf: LineOf;
}

/**
 * Reads a configuration file in YAML (JSON is valid YAML).
 * @throws ConfigurationFileError with the path and the line of every failing key, or with the place where the
 *   text is not YAML
 */
export function readConfigurationFile(text: string): ReadFile {
  const value = readYaml(text);
  if (!isPlainObject(value)) {
    throw new ConfigurationFileError([{ message: 'The file must be an object with the key accounts' }]);
  }
  const lineOf = linesOf(text);
  const result = validateDto(ConfigurationFile, value);
  if (!result.ok) throw new ConfigurationFileError(result.errors).locate(lineOf);
  return { file: result.value, lineOf };
}

/** As readConfigurationFile, without the lines. */
export function parseConfigurationFile(text: string): ConfigurationFile {
  return readConfigurationFile(text).file;
}
