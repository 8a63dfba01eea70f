import type { DataLayout } from '../embedded/data-layout.js';
import { withHeldLock } from '../embedded/held-lock.js';

const STALE_MS = 9_000;

/** A lock that is held for longer is renewed: its process lives. */
const WAIT_MS = STALE_MS + 3_000;

/**
 * Runs `work` while no other process upgrades the same data directory.
 * @param log receives that the lock was lost, as where the process was suspended
 * @throws Error naming the directory when another process upgrades it
 */
export function withUpgradeLock<T>(
  { root, upgradeLock }: DataLayout,
  log: (message: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const busy = (): Error =>
    new Error(
      `Another \`upgrade\` of the database in ${root} (DATA_DIR) is running: wait until it has ended`,
    );
  return withHeldLock({ path: upgradeLock, stale: STALE_MS, patience: WAIT_MS, busy, log }, work);
}
