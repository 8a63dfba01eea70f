// All scenarios, in the order in which they run.
import { afterExit } from './after-exit.mjs';
import { appKillsEmbedded, appKillsExternal } from './app-kills.mjs';
import { databaseKillsEmbedded, databaseKillsExternal } from './database-kills.mjs';
import { fullDisk } from './full-disk.mjs';
import { halfOpen } from './half-open.mjs';
import { handovers } from './handovers.mjs';
import { backup } from './backup.mjs';
import { cuts } from './cuts.mjs';
import { readOnly } from './read-only.mjs';
import { selfTest } from './self-test.mjs';
import { terminates } from './terminates.mjs';
import { upgrade } from './upgrade.mjs';

/** Runs first, whatever was chosen. */
export const SELF_TEST = selfTest;

export const SCENARIOS = [
  appKillsExternal,
  appKillsEmbedded,
  databaseKillsExternal,
  databaseKillsEmbedded,
  terminates,
  cuts,
  halfOpen,
  handovers,
  afterExit,
  upgrade,
  fullDisk,
  readOnly,
  backup,
];
