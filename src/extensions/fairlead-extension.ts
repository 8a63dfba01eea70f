import type { ModuleMetadata, Type } from '@nestjs/common';
import type { EntityClass, MigrationClass } from '../database/index.js';
import type { AssignmentHook } from '../dispatch/index.js';
import type { DistributionModel, EligibilityCheck, TriggerOperator } from '../engine/index.js';
import type { FieldType } from '../fields/index.js';
import type { RecordHook } from '../records/index.js';

/**
 * An item of an extension: an instance, or a class that Nest instantiates. A class may inject what the
 * modules in the extension's `imports` export, and what FairleadModule exports.
 */
export type Provided<T> = T | Type<T>;

/** An extension of the service. Every property except the name may be left out. */
export interface FairleadExtension {
  /** For messages. Unique among the extensions of an application. */
  readonly name: string;
  /**
   * Types of custom fields, in addition to `string`, `number`, `bool`, `datetime`, `enumeration`, `user` and
   * `reference`.
   */
  readonly fieldTypes?: readonly Provided<FieldType>[];
  /** Operators of conditions, in triggers and rules. */
  readonly triggerOperators?: readonly Provided<TriggerOperator>[];
  /** Values of the router setting `distribution_model`. */
  readonly distributionModels?: readonly Provided<DistributionModel>[];
  /** Conditions that a user must meet to be assigned by any router. They run after the built-in checks. */
  readonly eligibilityChecks?: readonly Provided<EligibilityCheck>[];
  /** Code before and after each write of a record through the API, in its transaction. */
  readonly recordHooks?: readonly Provided<RecordHook>[];
  /** Code before and after each dispatch of a record, in its transaction. */
  readonly assignmentHooks?: readonly Provided<AssignmentHook>[];
  /** Nest modules with routes and providers of the extension. */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  /** TypeORM entities of the extension's tables. */
  readonly entities?: readonly EntityClass[];
  /**
   * Migrations that create these tables. Their names end in a timestamp in milliseconds. They run together
   * with those of the service, in the order of the timestamps.
   */
  readonly migrations?: readonly MigrationClass[];
}
