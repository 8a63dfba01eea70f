import { Type } from 'class-transformer';
import { IsArray, ValidateNested } from 'class-validator';
import { isPlainObject } from '../../text/is-plain-object.js';
import { HasDistinctItems } from '../../validation/decorators.js';
import { validateDto } from '../../validation/validate-dto.js';
import { AccountDto } from './account.dto.js';
import { ConfigurationFileError, type PlaceOf } from './configuration-file.error.js';
import { readYaml } from './read-yaml.js';

/** The configuration file (contract section 5). */
export class ConfigurationFile {
  @IsArray()
  @HasDistinctItems((account: AccountDto) => account.slug)
  @ValidateNested({ each: true })
  @Type(() => AccountDto)
  accounts!: AccountDto[];
}

/** A configuration file, and where its keys are. */
interface ReadFile {
  readonly file: ConfigurationFile;
  readonly placeOf: PlaceOf;
}

/**
 * Reads a configuration file in YAML (JSON is valid YAML). References are looked at when it is applied.
 * @throws ConfigurationFileError with path and place of every failing key, or with the place where the text
 *   is not YAML, or no object
 */
export function readConfigurationFile(text: string): ReadFile {
  const { value, placeOf } = readYaml(text);
  if (!isPlainObject(value)) {
    throw new ConfigurationFileError([{ message: 'The file must be an object with the key accounts' }]);
  }
  const result = validateDto(ConfigurationFile, value);
  if (!result.ok) throw new ConfigurationFileError(result.errors).locate(placeOf);
  return { file: result.value, placeOf };
}

/** Reads a configuration file that is to be applied. @throws as `readConfigurationFile` */
export function parseConfigurationFile(text: string): ConfigurationFile {
  return readConfigurationFile(text).file;
}
