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

/** On a plain PostgreSQL. */
const EXTERNAL = [appKillsExternal, databaseKillsExternal, terminates, cuts, handovers, upgrade, readOnly];

/** On another one, and most of their time is a wait for answers that come late or never. */
const WAITING = [slowAnswers, halfOpen, afterExit];

/** On an embedded database. */
const EMBEDDED = [appKillsEmbedded, databaseKillsEmbedded, fullDisk, backup, lostHold];

/** The scenarios in lanes. The lanes run at the same time, those of a lane one after the other. */
export const LANES = [EXTERNAL, WAITING, EMBEDDED];
