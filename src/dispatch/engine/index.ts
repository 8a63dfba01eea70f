export { AssignmentEngine, type EngineExtensions } from './assignment-engine.js';
export type { CompiledRouter } from './compiled-router.js';
export type {
  Assigned,
  Decision,
  DecisionInput,
  DispatchedRecord,
  MatchedOwner,
  NotAssigned,
} from './decision/decision.js';
export { ASSIGNED_MESSAGE, REFUSALS, type RefusalReason } from './decision/outcomes.js';
export type { Trace, TraceStep } from './decision/trace.js';
export { BUILTIN_MODELS } from './distribution/builtin-models.js';
export type { Distribution, DistributionModel, Turn, TurnEntry } from './distribution/distribution-model.js';
export {
  decodeRotationState,
  encodeRotationState,
  type EncodedRotationState,
} from './distribution/rotation-codec.js';
export { EMPTY_ROTATION_STATE, type RotationState } from './distribution/rotation-state.js';
export { BUILTIN_CHECKS } from './eligibility/builtin-checks.js';
export type {
  EligibilityCheck,
  EligibilityContext,
  EligibilityVerdict,
} from './eligibility/eligibility-check.js';
export type { FieldIssue } from './field-issue.js';
export type {
  Condition,
  PoolMember,
  PoolTeam,
  PoolUser,
  RotationType,
  RouterConfiguration,
  RouterPool,
  RouterSettings,
  Trigger,
} from './router-configuration.js';
export { parseSettings, type SettingsResult } from './settings/parse-settings.js';
export { renderSettings, type FlatSettings } from './settings/render-settings.js';
export { restoreSettings } from './settings/restore-settings.js';
export { validateRouter } from './settings/validate-router.js';
export { BUILTIN_OPERATORS } from './trigger/builtin-operators.js';
export type { FieldHandle, FieldLookup } from './trigger/field-lookup.js';
export type { OperandResult, TriggerOperator } from './trigger/trigger-operator.js';
