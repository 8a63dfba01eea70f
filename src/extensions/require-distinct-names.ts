import type { FairleadExtension } from './fairlead-extension.js';

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
