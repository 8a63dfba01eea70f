import { CreateSchema1763700000000 } from './1763700000000-create-schema.js';
import { IndexAssignments1763800000000 } from './1763800000000-index-assignments.js';
import { CreateCapacities1763900000000 } from './1763900000000-create-capacities.js';
import { CountOwnedRecords1764000000000 } from './1764000000000-count-owned-records.js';
import { PruneTraces1764100000000 } from './1764100000000-prune-traces.js';
import { AddLongFields1764300000000 } from './1764300000000-add-long-fields.js';
import { FillOwners1764400000000 } from './1764400000000-fill-owners.js';
import { CountRecords1764500000000 } from './1764500000000-count-records.js';
import { FoldAssignments1764600000000 } from './1764600000000-fold-assignments.js';
import { CountByField1764700000000 } from './1764700000000-count-by-field.js';
import { ReturnAssignments1764800000000 } from './1764800000000-return-assignments.js';
import { PartitionAssignments1764900000000 } from './1764900000000-partition-assignments.js';
import { StampConfiguration1765000000000 } from './1765000000000-stamp-configuration.js';
import { KeepPreviousSecrets1765100000000 } from './1765100000000-keep-previous-secrets.js';
import { CountRequests1765200000000 } from './1765200000000-count-requests.js';
import { CreateAudit1765300000000 } from './1765300000000-create-audit.js';
import { VersionRouters1765400000000 } from './1765400000000-version-routers.js';
import { StoreNames1765500000000 } from './1765500000000-store-names.js';
import { ArchiveConfiguration1765600000000 } from './1765600000000-archive-configuration.js';
import { NamePeopleInVersions1765700000000 } from './1765700000000-name-people-in-versions.js';
import { KeepWholeAudit1765800000000 } from './1765800000000-keep-whole-audit.js';
import { SearchRecords1766000000000 } from './1766000000000-search-records.js';
import { AddReferences1766100000000 } from './1766100000000-add-references.js';
import { KeepAnswers1766200000000 } from './1766200000000-keep-answers.js';
import { KeepHistory1766300000000 } from './1766300000000-keep-history.js';
import { IndexFields1766400000000 } from './1766400000000-index-fields.js';
import { RefuseRunsOfMarks1766500000000 } from './1766500000000-refuse-runs-of-marks.js';
import { FindOwnedRecords1766600000000 } from './1766600000000-find-owned-records.js';
import { OrderChanges1766700000000 } from './1766700000000-order-changes.js';
import { WriteTimes1766800000000 } from './1766800000000-write-times.js';

/**
 * Every migration in the order in which it is applied. The list is explicit, because globs do not work after
 * compilation.
 */
export const MIGRATIONS = [
  CreateSchema1763700000000,
  IndexAssignments1763800000000,
  CreateCapacities1763900000000,
  CountOwnedRecords1764000000000,
  PruneTraces1764100000000,
  AddLongFields1764300000000,
  FillOwners1764400000000,
  CountRecords1764500000000,
  FoldAssignments1764600000000,
  CountByField1764700000000,
  ReturnAssignments1764800000000,
  PartitionAssignments1764900000000,
  StampConfiguration1765000000000,
  KeepPreviousSecrets1765100000000,
  CountRequests1765200000000,
  CreateAudit1765300000000,
  VersionRouters1765400000000,
  StoreNames1765500000000,
  ArchiveConfiguration1765600000000,
  NamePeopleInVersions1765700000000,
  KeepWholeAudit1765800000000,
  SearchRecords1766000000000,
  AddReferences1766100000000,
  KeepAnswers1766200000000,
  KeepHistory1766300000000,
  IndexFields1766400000000,
  RefuseRunsOfMarks1766500000000,
  FindOwnedRecords1766600000000,
  OrderChanges1766700000000,
  WriteTimes1766800000000,
];
