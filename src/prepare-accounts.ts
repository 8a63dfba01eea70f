import type { INestApplicationContext } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import type { Settings } from './settings/settings.js';
import { ApplyService, parseConfigurationFile } from './management/index.js';
import { createDemo, describeDemo } from './demo/create-demo.js';

/**
 * Applies `APPLY_FILE` and creates the demo account, before the service listens.
 * @param fresh whether the embedded database was created just now
 * @returns a function to call once the address is known; it prints the credentials of the demo, if there are
 *   any
 * @throws Error naming APPLY_FILE when it cannot be read or applied
 */
export async function prepareAccounts(
  app: INestApplicationContext,
  settings: Settings,
  fresh: boolean,
): Promise<(address: string) => void> {
  const { APPLY_FILE: file } = settings;
  if (file !== undefined) {
    try {
      const configuration = parseConfigurationFile(await readFile(file, 'utf8'));
      await app.get(ApplyService, { strict: false }).apply(configuration, { dryRun: false });
    } catch (error) {
      throw new Error(`APPLY_FILE ${file} cannot be applied:\n${(error as Error).message}`, { cause: error });
    }
  }
  const demo = (settings.DEMO ?? fresh) ? await createDemo(app) : undefined;
  return (address) => {
    if (demo !== undefined) console.log(describeDemo(demo, address));
  };
}
