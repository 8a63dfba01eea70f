import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FairleadExtension } from './fairlead-extension.js';

const KEYS: ReadonlySet<string> = new Set<keyof FairleadExtension>([
  'name',
  'fieldTypes',
  'triggerOperators',
  'distributionModels',
  'eligibilityChecks',
  'recordHooks',
  'assignmentHooks',
  'imports',
  'entities',
  'migrations',
]);

/**
 * Loads the extensions that the setting `EXTENSIONS` names: paths that start with `.` or `/`, relative to
 * the working directory, or packages that can be found from there. Each exports its FairleadExtension as
 * default.
 * @param given the extensions of the host
 * @returns those of the host, then those of the setting
 * @throws Error naming EXTENSIONS and the extension that cannot be loaded, or the name that two extensions
 *   have
 */
export async function loadExtensions(
  names: readonly string[],
  given: readonly FairleadExtension[],
): Promise<FairleadExtension[]> {
  const extensions = [...given, ...(await Promise.all(names.map(load)))];
  requireDistinctNames(extensions);
  return extensions;
}

async function load(name: string): Promise<FairleadExtension> {
  let loaded: unknown;
  try {
    loaded = await import(pathToFileURL(locate(name)).href);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`EXTENSIONS names ${name}, which cannot be loaded: ${reason}`, { cause: error });
  }
  const extension = defaultOf(defaultOf(loaded));
  if (!isExtension(extension)) {
    throw new Error(`EXTENSIONS names ${name}, whose default export is no extension: an object with a name`);
  }
  const unknown = Object.keys(extension).filter((key) => !KEYS.has(key));
  if (unknown.length > 0) {
    const known = [...KEYS].join(', ');
    throw new Error(
      `EXTENSIONS names ${name}, which has unknown keys: ${unknown.join(', ')} (known: ${known})`,
    );
  }
  return extension;
}

function locate(name: string): string {
  if (/^\.{0,2}\//.test(name)) return createRequire(__filename).resolve(resolve(name));
  return createRequire(join(process.cwd(), 'package.json')).resolve(name);
}

/**
 * Returns the default export of a module. For a CommonJS module, Node.js makes all its exports the default
 * export.
 */
function defaultOf(exports: unknown): unknown {
  const isModule = typeof exports === 'object' && exports !== null && 'default' in exports;
  return isModule ? exports.default : exports;
}

function isExtension(value: unknown): value is FairleadExtension {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}

/**
 * Refuses an extension that is there twice, before its migrations and routes are.
 * @throws Error naming the extension
 */
export function requireDistinctNames(extensions: readonly FairleadExtension[]): void {
  const names = new Set<string>();
  for (const { name } of extensions) {
    if (names.has(name)) {
      throw new Error(
        `Two extensions have the name "${name}": name each once, in EXTENSIONS or in the program`,
      );
    }
    names.add(name);
  }
}
