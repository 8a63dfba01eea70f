export { AssignmentEngine, type EngineExtensions } from './assignment-engine.js';
export type { CompiledRouter } from './routing/compiled-router.js';
export type {
  Assigned,
  Decision,
  DecisionInput,
  RecordInput,
  GivenTurn,
  MatchedOwner,
  NotAssigned,
} from './model/decision.js';
export {
  joinRequired,
  type RequiredWorkloads,
  type RequirementInput,
} from './decision/required-workloads.js';
export { matchingHosts, type DomainKnowledge } from './decision/matching-hosts.js';
export { ASSIGNED_MESSAGE, REFUSALS, type RefusalReason } from './model/outcomes.js';
export type { RefusedRecord, Routed, RoutedRecord } from './routing/route-record.js';
export type { Trace, TraceStep } from './model/trace.js';
export { BUILTIN_MODELS } from './distribution/builtin-models.js';
export type { Distribution, DistributionModel, Turn, TurnEntry } from './distribution/distribution-model.js';
export { returnTurn, type ReturnedTurn } from './decision/return-turn.js';
export {
  decodeRotationState,
  encodeRotationState,
  type EncodedRotationState,
} from './distribution/rotation-codec.js';
export { EMPTY_ROTATION_STATE, type RotationState } from './model/rotation-state.js';
export { BUILTIN_CHECKS } from './eligibility/builtin-checks.js';
export type {
  EligibilityCheck,
  EligibilityContext,
  EligibilityVerdict,
} from './eligibility/eligibility-check.js';
export type { FieldIssue } from './model/field-issue.js';
export type {
  Condition,
  PoolMember,
  PoolTeam,
  PoolUser,
  RotationType,
  RouterConfiguration,
  RouterPool,
  RouterSettings,
  RoutingRule,
  RulePool,
  Trigger,
  UnavailableOwner,
} from './model/router-configuration.js';
export { resolveRulePools, type RulePeople } from './rules/resolve-rule-pools.js';
export { parseSettings, type SettingsResult } from './settings/parse-settings.js';
export { renderSettings, type FlatRule, type FlatSettings } from './settings/render-settings.js';
export { restoreSettings } from './settings/restore-settings.js';
export { validateRouter } from './settings/validate-router.js';
export { BUILTIN_OPERATORS } from './trigger/builtin-operators.js';
export type { FieldHandle, FieldLookup } from './trigger/field-lookup.js';
export type { FieldValue } from './trigger/field-value.js';
export type { OperandResult, TriggerOperator, ValueTest } from './trigger/trigger-operator.js';
export { maxByEmail, type Capacity, type CapacityMembers } from './model/capacity.js';
export { workloadsAfter, workloadsWith, type DecidedAssignment } from './workload/weighed-input.js';
export { LIMIT_SPANS, type LimitSpan, type Workload, type Workloads } from './model/workload.js';
