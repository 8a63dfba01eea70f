import { ApplyService, parseConfigurationFile } from '../../src/management/index.js';
import type { AccountFile, RoutingAccount } from './routing-account.js';

/** Applies a file that must be refused as a whole. @returns its errors, each with a path and a message */
export async function refusals(account: RoutingAccount, file: AccountFile): Promise<string[]> {
  const before = await exported(account);
  const message = await account.apply(file).then(
    () => 'It was applied',
    (error: unknown) => (error as Error).message,
  );
  expect(await exported(account)).toEqual(before);
  return message.split('\n').map((line) => line.replace(/^accounts\[0\]\./, ''));
}

/** The account as `export` prints it. */
export async function exported({ service, slug }: Pick<RoutingAccount, 'service' | 'slug'>): Promise<any> {
  const file = await service.app.get(ApplyService, { strict: false }).export(service.slug(slug));
  return file.accounts[0];
}

/** Returns the changes of applying a file, without values. Applies it unless `dryRun` is set. */
export async function changes(
  { service, slug }: RoutingAccount,
  file: AccountFile,
  dryRun = false,
): Promise<readonly unknown[]> {
  const text = JSON.stringify({ accounts: [{ slug, ...file }] });
  const plans = await service.app
    .get(ApplyService, { strict: false })
    .apply(parseConfigurationFile(text), { dryRun });
  return plans.flatMap((plan) => plan.changes.map(({ changes: _, ...change }) => change));
}
