import { isPlainObject } from '../../text/is-plain-object.js';
import { IsListOf } from '../../validation/decorators.js';
import { validateDto } from '../../validation/validate-dto.js';
import { AccountDto } from './account.dto.js';
import { ConfigurationFileError, type PlaceOf } from './configuration-file.error.js';
import { readYaml } from './read-yaml.js';

/** The configuration file (contract section 5). */
export class ConfigurationFile {
  @IsListOf(AccountDto, { keyOf: (account) => account.slug })
  accounts!: AccountDto[];
}

/**
 * Reads a configuration file in YAML (JSON is valid YAML). References are looked at when it is applied.
 * @throws ConfigurationFileError with path and place of every failing key, or with the place where the text
 *   is not YAML, or no object
 */
export function parseConfigurationFile(text: string): ConfigurationFile {
  const { value, placeOf } = readYaml(text);
  if (!isPlainObject(value)) {
    throw new ConfigurationFileError([{ message: 'The file must be an object with the key accounts' }]);
  }
  const result = validateDto(ConfigurationFile, value);
  if (!result.ok) throw new ConfigurationFileError(result.errors).locate(placeOf);
  places.set(result.value, placeOf);
  return result.value;
}

const places = new WeakMap<ConfigurationFile, PlaceOf>();

/** Finds the places of keys of a file that was read. */
export function placesIn(file: ConfigurationFile): PlaceOf {
  return places.get(file) ?? (() => undefined);
}
