import type { INestApplicationContext } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { AccountsRepository } from '../accounts/index.js';
import { Database } from '../database/index.js';
import type { Settings } from '../settings/settings.js';
import { decodeText } from '../text/decode-text.js';
import {
  ApplyService,
  commandAuthor,
  ConfigurationFileError,
  parseConfigurationFile,
  PartlyAppliedError,
} from '../management/index.js';
import { createDemo, type Demo } from './demo/demo.js';
import { isFirstServe } from './service-database.js';

/**
 * Applies `APPLY_FILE` and creates the demo account, before the service listens.
 * @param fresh whether the embedded database was created just now; one that a command has made and left
 *   without accounts is as good
 * @returns the credentials of the demo, if this call has created it
 * @throws Error naming APPLY_FILE when it cannot be read or applied, with everything that is wrong with it
 */
export async function prepareAccounts(
  app: INestApplicationContext,
  settings: Settings,
  fresh: boolean,
): Promise<Demo | undefined> {
  const { APPLY_FILE: file } = settings;
  // Of one's own database it is not asked: of a cluster, all nodes would have to answer.
  const isEmbedded = settings.DATABASE_URL === undefined;
  const empty = fresh || (isEmbedded && (await hasNoAccount(app)));
  if (file !== undefined) {
    await applyFile(app, file).catch((error: unknown) => {
      throw new Error(`APPLY_FILE ${file} ${failureOf(error as Error)}`, { cause: error });
    });
  }
  const isFirst = isEmbedded && (await isFirstServe(settings.DATA_DIR));
  return (settings.DEMO ?? (fresh || (isFirst && empty))) ? createDemo(app) : undefined;
}

async function hasNoAccount(app: INestApplicationContext): Promise<boolean> {
  const accounts = app.get(AccountsRepository, { strict: false });
  return !(await app.get(Database).read((db) => accounts.any(db)));
}

async function applyFile(app: INestApplicationContext, file: string): Promise<void> {
  const service = app.get(ApplyService, { strict: false });
  const author = commandAuthor('APPLY_FILE');
  await service.apply(parseConfigurationFile(decodeText(await readFile(file))), { dryRun: false, author });
}

function failureOf(error: Error): string {
  const state = error instanceof PartlyAppliedError ? 'is applied in part' : 'cannot be applied';
  return `${state}:\n${error instanceof ConfigurationFileError ? error.located : error.message}`;
}
