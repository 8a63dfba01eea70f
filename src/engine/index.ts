export { AssignmentEngine } from './assignment-engine.js';

// Types of extensions, and the built-in ones.
export type { Distribution, DistributionModel, Turn, TurnEntry } from './distribution/distribution-model.js';
export type {
  CheckGroup,
  EligibilityCheck,
  EligibilityContext,
  EligibilityVerdict,
} from './eligibility/eligibility-check.js';
export { compileTrigger } from './trigger/compile-trigger.js';
export { matches } from './trigger/evaluate-trigger.js';
export { parseList } from './trigger/operand.js';
export { RecordValues } from './trigger/record-values.js';
export type { FieldHandle, FieldLookup } from './trigger/field-lookup.js';
export { FieldValue } from './trigger/field-value.js';
export type { OperandResult, SqlValue, TriggerOperator, ValueTest } from './trigger/trigger-operator.js';
export { distributeByCredit } from './distribution/distribute-by-credit.js';
export { BUILTIN_MODELS } from './distribution/builtin-models.js';
export { BUILTIN_CHECKS } from './eligibility/builtin-checks.js';
export { BUILTIN_OPERATORS } from './trigger/builtin-operators.js';

// Input and result of a decision.
export type {
  Assigned,
  Decision,
  DecisionInput,
  MatchedOwner,
  NotAssigned,
  RecordInput,
} from './model/decision.js';
export { ASSIGNED_MESSAGE, ASSIGNED_REASONS, REFUSALS } from './model/outcomes.js';
export type { DistributionExplanation, Trace, TraceStep } from './model/trace.js';
export type { CompiledRouter } from './routing/compiled-router.js';
export type { Routed } from './routing/route-record.js';
export { matchingHosts, type DomainKnowledge } from './decision/matching-hosts.js';

// Workloads and capacities.
export { joinRequired, type RequiredWorkloads } from './decision/required-workloads.js';
export { maxByEmail, type Capacity } from './model/capacity.js';
export { LIMIT_SPANS, type LimitSpan, type Workload, type Workloads } from './model/workload.js';
export { workloadsAfter, workloadsWith, workloadsWithout } from './workload/weighed-input.js';

// Rotation states between decisions.
export { returnTurn } from './decision/return-turn.js';
export { decodeRotationState, encodeRotationState } from './distribution/rotation-codec.js';
export { ROUTER_ROTATION_KEY, type RuleIdentity } from './model/rotation-key.js';
export {
  EMPTY_ROTATION_STATE,
  type Ledger,
  type MemberState,
  type RotationState,
} from './model/rotation-state.js';

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
export { resolveRulePools, type RulePeople } from './rules/resolve-rule-pools.js';
export type { KnownConditions } from './settings/check-condition.js';
export { parseTrigger, type TriggerResult } from './settings/parse-trigger.js';
export { parseSettings } from './settings/parse-settings.js';
export type { PlacedValue } from './settings/read-values.js';
export { renderSettings, type FlatSettings } from './settings/render-settings.js';
export { keepRotations } from './rules/keep-rotations.js';
export { storeSettings } from './settings/store-settings.js';
export { renameInSettings } from './settings/rename-in-settings.js';
export { listedInSettings, removeFromSettings } from './settings/remove-from-settings.js';
export { poolWithout } from './pool/remaining-shares.js';
export { renameTeams } from './settings/rename-teams.js';
export { namedParts } from './settings/named-parts.js';
export { restoreSettings } from './settings/restore-settings.js';
export { validateRouter } from './settings/validate-router.js';
