import {
  ApplyService,
  applyText,
  describePlan,
  PartlyAppliedError,
  type WithApplyService,
} from '../management/index.js';
import type { CommandContext } from './command-context.js';
import { errorDocument } from './error-document.js';
import { FOUND_CHANGES } from './exit-codes.js';
import { readInput } from './read-input.js';
import { withServices } from './with-services.js';

export interface ApplyFlags {
  readonly dryRun?: boolean;
  readonly prune?: boolean;
}

/** @param path of the file; `-` is standard input */
export async function applyFile(
  context: CommandContext,
  path: string,
  { dryRun = false, prune = false }: ApplyFlags,
): Promise<void> {
  const withService: WithApplyService = (work) =>
    withServices(context, (services) => work(services.get(ApplyService, { strict: false })));
  try {
    const accounts = await applyText(await readInput(context, path), withService, { dryRun, prune });
    context.print({ dry_run: dryRun, accounts }, describePlan(accounts));
    if (dryRun && accounts.some(({ changes }) => changes.length > 0)) context.endWith(FOUND_CHANGES);
  } catch (error) {
    if (error instanceof PartlyAppliedError) {
      const { plans: accounts } = error;
      context.print({ dry_run: dryRun, accounts, ...errorDocument(error) }, describePlan(accounts));
    }
    throw error;
  }
}
