import { stringify } from 'yaml';
import { ExportService } from '../management/index.js';
import type { CommandContext } from './command-context.js';
import { withServices } from './with-services.js';

/** @param slug of the account */
export async function exportAccount(context: CommandContext, slug: string): Promise<void> {
  await withServices(context, async (services) => {
    const document = await services.get(ExportService, { strict: false }).export(slug);
    context.print(document, [stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }).trimEnd()]);
  });
}
