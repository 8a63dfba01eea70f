export { AssignmentEngine, type EngineExtensions } from './assignment-engine.js';

// Types of extensions, and the built-in ones.
export type { Distribution, DistributionModel, Turn, TurnEntry } from './models/distribution-model.js';
export type {
  CheckGroup,
  EligibilityCheck,
  EligibilityContext,
  EligibilityVerdict,
} from './eligibility/examine.js';
export { compileTrigger, fieldsOf, matches, RecordValues } from './trigger/trigger.js';
export { type FieldHandle, type FieldLookup, FieldValue } from './trigger/field-value.js';
export { distributeByCredit, BUILTIN_MODELS } from './models/models.js';
export { BUILTIN_CHECKS, examineNow } from './eligibility/checks.js';
export {
  BUILTIN_OPERATORS,
  parseList,
  type OperandResult,
  type SqlValue,
  type TriggerOperator,
  type ValueTest,
} from './trigger/operators.js';

// Input and result of a decision.
export {
  type Assigned,
  type Decision,
  type DecisionInput,
  type MatchedOwner,
  type NotAssigned,
  type RecordInput,
  ASSIGNED_MESSAGE,
  ASSIGNED_REASONS,
  REFUSALS,
} from './model/decision.js';
export {
  TRACE_STEPS,
  type DistributionExplanation,
  type StepKind,
  type Trace,
  type TraceKind,
  type TraceStep,
  type TraceValue,
} from './model/trace.js';
export { countMembers, type CompiledRouter, type Stage } from './decision/plan.js';
export { memberKey } from './decision/stage.js';
export type { Routed } from './decision/route-record.js';

// Workloads and capacities.
export {
  assignedIn,
  NOTHING_ASSIGNED,
  type AssignedInstants,
  type Capacity,
  type Workload,
  type Workloads,
} from './model/workload.js';

// What decisions of one transaction read and change.
export type { Ask, Book, Changes, HeldAssignment, OwedTurn, Rotation } from './decision/book.js';
export type { Needs } from './decision/needs.js';
export { creditToNumber } from './ledger/credit.js';
export { decodeRotationState, encodeRotationState } from './ledger/rotation-codec.js';
export {
  ROUTER_ROTATION_KEY,
  type PartIdentity,
  EMPTY_ROTATION_STATE,
  type Ledger,
  type MemberState,
  type RotationState,
} from './model/rotation.js';

// The configuration of a router.
export type { FieldIssue } from './model/field-issue.js';
export type {
  Condition,
  PoolTeam,
  PoolUser,
  RouterConfiguration,
  RouterPool,
  Trigger,
} from './model/router-configuration.js';
export { parseTrigger, type KnownConditions, type TriggerResult } from './trigger/parse-trigger.js';
export type { PlacedValue } from './trigger/read-values.js';
export { keepRotations, keepStepRotations } from './rules/keep-rotations.js';
export { poolWithout } from './pool/remaining-shares.js';
