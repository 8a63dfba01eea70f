/**
 * All that a host and an extension may import. Nothing else of this package is public.
 *
 * @module fairlead
 */

// The service as a Nest module, and how to start it.
export { FairleadModule, type FairleadModuleOptions } from './start/fairlead.module.js';
export type { FairleadOptions, FairleadOptionsFactory } from './start/options.module.js';
export {
  configureHttp,
  describeApp,
  EndpointConventions,
  type EndpointConvention,
  FastExpressAdapter,
  ProvidesOpenApiSchemas,
} from './http/index.js';
export { parseSettings, Settings, SETTINGS } from './settings/settings.js';
export { readSettings } from './settings/settings.js';
export { createHostDataSource, type HostDataSourceOptions } from './start/service-database.js';
export { migrate } from './database/migrations.js';
export { LOGGER } from './logging/create-logger.js';
export { startServer } from './start/server.js';
export { runCommandLine } from './commands/command-line.js';

// The parts of an extension.
export type { FairleadExtension, Provided } from './extensions/index.js';
export type {
  ComparisonKey,
  FieldChanges,
  FieldDefinition,
  FieldEnvironment,
  FieldOption,
  FieldType,
  ObjectType,
  ParseResult,
} from './fields/index.js';
export {
  distributeByCredit,
  FieldValue,
  type CheckGroup,
  type Decision,
  type DecisionInput,
  type Distribution,
  type DistributionExplanation,
  type DistributionModel,
  type EligibilityCheck,
  type EligibilityContext,
  type EligibilityVerdict,
  type FieldHandle,
  type FieldIssue,
  type Ledger,
  type MatchedOwner,
  type MemberState,
  type OperandResult,
  type PoolTeam,
  type PoolUser,
  type RecordInput,
  type RotationState,
  type RouterPool,
  type SqlValue,
  type Trace,
  type TraceStep,
  type TriggerOperator,
  type Turn,
  type TurnEntry,
  type ValueTest,
} from './engine/index.js';
export type { ClockReader, LocalTime, User } from './directory/index.js';
export type {
  RecordHook,
  RecordWrite,
  RecordWriteSteps,
  StoredRecord,
  WrittenRecord,
} from './records/index.js';
export type { AssignmentHook, DecidedAssignment, WrittenAssignment } from './dispatch/index.js';

// For controllers and providers of a host.
export { type ClientContext, type Scope } from './auth/index.js';
export { Client, Public, RequireScope, TakesShareItself } from './auth/http.js';
export type { AccountContext } from './accounts/index.js';
export { RecordsService, type RecordKey, type RecordSelection, type RecordView } from './records/index.js';
export {
  DispatchService,
  SimulationService,
  type BatchResult,
  type DispatchResult,
  type SimulationResult,
} from './dispatch/index.js';
export { SimulateDto } from './dispatch/http.js';
export { AssignmentsService, type AssignmentQuery, type AssignmentView } from './assignments/index.js';
export type { AccountConfiguration } from './configuration/index.js';
export {
  ApiClientsService,
  ApplyService,
  parseConfigurationFile,
  type ClientCredentials,
} from './management/index.js';
export {
  ApiErrors,
  dtoBody,
  limit,
  LocatedAs,
  type Located,
  NoQueryParameters,
  offset,
  optionalText,
  page,
  QueryParameters,
  ValidRequest,
  ValidatedBodyPipe,
  type Page,
  type PageRange,
  type PageRequest,
  type RequestParts,
} from './http/index.js';
export { DomainError, type ErrorDetails, type FieldError } from './errors/domain-error.js';
export { conflict, invalid, invalidField, notFound, unauthorized, unavailable } from './errors/errors.js';
export { IsStorableText } from './validation/decorators.js';

// The database, for tables of an extension.
export {
  Database,
  isId,
  newId,
  OutcomeUnknownError,
  violatedIndex,
  type EntityClass,
  type EntityReader,
  type MigrationClass,
  type Queryable,
  type Statement,
  type Transaction,
} from './database/index.js';
