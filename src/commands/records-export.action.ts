import type { ObjectType } from '../fields/index.js';
import { RecordExporter, type ExportFormat } from '../transfer/index.js';
import type { CommandContext } from './command-context.js';
import { findAccount } from './find-account.js';
import { importClient } from './import-client.js';
import { withServices } from './with-services.js';

export interface RecordsExportFlags {
  /** Slug of the account. */
  readonly account: string;
  readonly type: ObjectType;
  readonly format: Exclude<ExportFormat, 'json'>;
  /** A trigger. */
  readonly filter?: unknown;
  readonly archived?: boolean;
}

/** Prints until all is printed, or nobody reads any more. */
export async function exportRecords(
  context: CommandContext,
  { account, type: objectType, format, filter, archived = false }: RecordsExportFlags,
): Promise<void> {
  await withServices(context, async (services) => {
    const client = importClient(await findAccount(services, account));
    const exporter = services.get(RecordExporter, { strict: false });
    const request = { objectType, format: context.isJson() ? ('json' as const) : format, filter, archived };
    for await (const text of exporter.export(client, request)) {
      if (!(await context.write(text))) return;
    }
  });
}
