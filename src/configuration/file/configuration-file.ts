import { Type } from 'class-transformer';
import { ArrayUnique, IsArray, ValidateNested } from 'class-validator';
import { LineCounter, parseDocument } from 'yaml';
import { isPlainObject } from '../../text/is-plain-object.js';
import { validateDto } from '../../validation/validate-dto.js';
import { AccountDto } from './account.dto.js';
import { ConfigurationFileError } from './configuration-file.error.js';
import { fileLines, type LineOf } from './file-lines.js';

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
  const lineCounter = new LineCounter();
  const document = whole(() => parseDocument(text, { prettyErrors: true, lineCounter }));
  // The parser collects its own overflow.
  if (document.errors.some(({ message }) => message.startsWith('Maximum call stack'))) throw tooDeep();
  if (document.errors.length > 0) {
    throw new ConfigurationFileError(
      document.errors.map(({ message, linePos: [{ line }] = [{ line: 1 }] }) => ({
        line,
        message: message.trim(),
      })),
    );
  }
  const value: unknown = whole((): unknown => document.toJS({ maxAliasCount: 100 }));
  if (whole(() => containsItself(value))) {
    throw new ConfigurationFileError([{ message: 'An alias must not lead back to where it stands' }]);
  }
  if (!isPlainObject(value)) {
    throw new ConfigurationFileError([{ message: 'The file must be an object with the key accounts' }]);
  }
  const lineOf = fileLines(document.contents, lineCounter);
  const result = validateDto(ConfigurationFile, value);
  if (!result.ok) throw new ConfigurationFileError(result.errors).locate(lineOf);
  return { file: result.value, lineOf };
}

/** As readConfigurationFile, without the lines. */
export function parseConfigurationFile(text: string): ConfigurationFile {
  return readConfigurationFile(text).file;
}

function tooDeep(): ConfigurationFileError {
  return new ConfigurationFileError([{ message: 'The file nests lists and objects too deep' }]);
}

/** @throws ConfigurationFileError for what the parser refuses, and for a file that nests too deep for it */
function whole<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep();
    const message = error instanceof Error ? error.message : 'The file cannot be read';
    throw new ConfigurationFileError([{ message }]);
  }
}

function containsItself(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return false;
  } catch (error) {
    // Too deep a value is a RangeError.
    if (error instanceof TypeError) return true;
    throw error;
  }
}
