// All scenarios, in lanes. The lanes run at the same time, the scenarios of a lane one after the other.
import { backup } from './backup.mjs';
import { nodeKills, nodeKillsBehind, shardMoves } from './citus.mjs';
import { failover } from './failover.mjs';
import { fullDisk } from './full-disk.mjs';
import {
  appKillsEmbedded,
  appKillsExternal,
  databaseKillsEmbedded,
  databaseKillsExternal,
  lostHold,
} from './kills.mjs';
import { halfOpen, slowAnswers } from './late-answers.mjs';
import { cuts, readOnly, terminates } from './sessions.mjs';
import { afterExit, handovers } from './stops.mjs';
import { upgrade } from './upgrade.mjs';

/** Runs first, whatever was chosen. */
export { selfTest as SELF_TEST } from './self-test.mjs';

/** On a plain PostgreSQL; the last on two of its own. */
const EXTERNAL = [appKillsExternal, databaseKillsExternal, terminates, cuts, readOnly, failover];

/** On others: one process, or one server, takes over from the other. */
const SUCCESSION = [handovers, upgrade];

/** On a third one, and most of their time is a wait for answers that come late or never. */
const WAITING = [slowAnswers, halfOpen, afterExit];

/** On an embedded database. */
const EMBEDDED = [appKillsEmbedded, databaseKillsEmbedded, fullDisk, backup, lostHold];

/** On the Citus cluster that CITUS_URLS names, if any. */
const CITUS = [nodeKills, nodeKillsBehind, shardMoves];

export const LANES = [EXTERNAL, SUCCESSION, WAITING, EMBEDDED, CITUS];
