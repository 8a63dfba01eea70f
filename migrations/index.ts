import { CreateSchema1764200000000 } from './1764200000000-create-schema.js';
import { ForgetAudit1795850000000 } from './1795850000000-forget-audit.js';
import { ArchivingIsAChange1795950000000 } from './1795950000000-archiving-is-a-change.js';
import { IndexKindsOfEntries1796000100000 } from './1796000100000-index-kinds-of-entries.js';
import { CreatePeople1796010000000 } from './1796010000000-create-people.js';
import { CreateProcesses1796020000000 } from './1796020000000-create-processes.js';
import { CreateAccountKeys1796030000000 } from './1796030000000-create-account-keys.js';
import { CreateClusterFunctions1796040000000 } from './1796040000000-create-cluster-functions.js';
import { SpeedUpClusterFunctions1796050000000 } from './1796050000000-speed-up-cluster-functions.js';
import { NameRootOrder1796060000000 } from './1796060000000-name-root-order.js';

/**
 * Every migration in the order in which it is applied. The list is explicit, because globs do not work after
 * compilation.
 */
export const MIGRATIONS = [
  CreateSchema1764200000000,
  ForgetAudit1795850000000,
  ArchivingIsAChange1795950000000,
  IndexKindsOfEntries1796000100000,
  CreatePeople1796010000000,
  CreateProcesses1796020000000,
  CreateAccountKeys1796030000000,
  CreateClusterFunctions1796040000000,
  SpeedUpClusterFunctions1796050000000,
  NameRootOrder1796060000000,
];
