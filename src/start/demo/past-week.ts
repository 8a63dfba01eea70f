import type { INestApplicationContext } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Transaction } from '../../database/index.js';
import { DispatchRunner } from '../../dispatch/index.js';
import { OBJECT_TYPES } from '../../fields/index.js';
import { insertPastRecords } from '../../records/index.js';
import { RoutersRepository } from '../../routers/index.js';
import { demoRecords } from './records.js';

/** Milliseconds between a record and its dispatch. */
const SOON = 2_000;

/**
 * Writes the records of the demo account, and lets its routers decide on them at the instants of the week
 * before, one after the other: all that the log has is what the engine has decided.
 */
export async function livePastWeek(
  app: INestApplicationContext,
  account: AccountContext & { readonly transaction: Transaction },
  now: Date,
): Promise<void> {
  const { transaction: tx } = account;
  const runner = app.get(DispatchRunner, { strict: false });
  const routers = await app.get(RoutersRepository, { strict: false }).listActive(tx, account);
  const records = demoRecords(now);
  const objectIds = new Map<object, string>();
  for (const objectType of OBJECT_TYPES) {
    const ofType = records.filter((record) => record.objectType === objectType);
    const ids = await insertPastRecords(tx, account, { objectType, records: ofType });
    ofType.forEach((record, n) => objectIds.set(record, ids[n] ?? ''));
  }
  for (const record of records) {
    const router = routers.find(({ name }) => name === record.router);
    if (router === undefined) continue;
    const run = { routerId: router.id, objectId: objectIds.get(record) ?? '' };
    await runner.run(account, [run], { past: new Date(record.at.getTime() + SOON) });
  }
}
