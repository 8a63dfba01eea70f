import { type ClusterInfo, inspectCluster, requireMajor } from './cluster.js';
import type { DataLayout } from './data-layout.js';
import type { EmbeddedOptions } from './embedded-options.js';
import { type NativeBinaries, nativeBinaries } from './native-binaries.js';
import { type ServiceAccount, serviceAccount } from './service-account.js';

/** What a start of the server needs. */
export interface StartPreparation {
  /** Undefined when there is no cluster yet. */
  readonly found: ClusterInfo | undefined;
  /** The user that runs the server. Undefined for the user of this process. */
  readonly account: ServiceAccount | undefined;
  readonly binaries: NativeBinaries;
}

/**
 * Finds out who runs the server of a data directory, and with which programs.
 *
 * @throws {EmbeddedPostgresError} when there is no user or no program for it, or the cluster cannot be used
 */
export async function prepareStart(
  layout: DataLayout,
  { sharedDirs }: Pick<EmbeddedOptions, 'sharedDirs'>,
): Promise<StartPreparation> {
  const found = await inspectCluster(layout);
  const account = await serviceAccount(found);
  const binaries = await nativeBinaries(account, sharedDirs);
  if (found) requireMajor(layout.cluster, found.major, binaries.major);
  return { found, account, binaries };
}
