// All scenarios, in the order in which they run.
import { afterExit } from './after-exit.mjs';
import { appKillsEmbedded, appKillsExternal } from './app-kills.mjs';
import { backup } from './backup.mjs';
import { cuts } from './cuts.mjs';
import { databaseKillsEmbedded, databaseKillsExternal } from './database-kills.mjs';
import { fullDisk } from './full-disk.mjs';
import { halfOpen } from './half-open.mjs';
import { handovers } from './handovers.mjs';
import { lostHold } from './lost-hold.mjs';
import { readOnly } from './read-only.mjs';
import { selfTest } from './self-test.mjs';
import { slowAnswers } from './slow-answers.mjs';
import { terminates } from './terminates.mjs';
import { upgrade } from './upgrade.mjs';

/** Runs first, whatever was chosen. */
export const SELF_TEST = selfTest;

/** Those on the plain PostgreSQL share it, so they run one after the other. */
const EXTERNAL = [
  appKillsExternal,
  databaseKillsExternal,
  terminates,
  cuts,
  halfOpen,
  slowAnswers,
  handovers,
  afterExit,
  upgrade,
  readOnly,
];

/** Those on an embedded database run beside the others. */
const EMBEDDED = [appKillsEmbedded, databaseKillsEmbedded, fullDisk, backup, lostHold];

/** The scenarios in lanes. The lanes run at the same time. */
export const LANES = [EXTERNAL, EMBEDDED];
