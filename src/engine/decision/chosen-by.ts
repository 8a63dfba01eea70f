import type { RotationOutcome } from '../distribution/rotate.js';
import { ASSIGNED_MESSAGE } from '../model/outcomes.js';
import type { Assigned, RecordInput } from '../model/decision.js';
import type { RouterSettings } from '../model/router-configuration.js';
import type { TraceStep } from '../model/trace.js';
import { normalizeEmail } from '../../text/email-key.js';

/** A turn that chose the user. */
type Turn = RotationOutcome & { readonly rotationKey: string };

/** What assignments of one decision have in common. */
export interface Deciding {
  readonly settings: RouterSettings;
  /** Name of the rule whose trigger matched; null for none. */
  readonly rule: string | null;
  readonly record: RecordInput;
  /** Gets a step where the user has the record already. */
  readonly trace: TraceStep[];
}

/**
 * Makes the decision to assign a record to a user who was chosen. If it is the present owner, the decision
 * takes no turn and changes nothing.
 */
export function chosenBy({ settings, rule, record, trace }: Deciding) {
  const { ownerField: fieldName } = settings;
  const owner = normalizeEmail(record.get(fieldName) ?? '');
  return (user: string, reason: string, turn: Turn | null): Assigned => {
    const common = { assigned: true, user, fieldName, message: ASSIGNED_MESSAGE, rule, trace } as const;
    if (normalizeEmail(user) === owner) {
      trace.push({ step: 'already_owner', user, chosen_by: reason });
      return { ...common, unchanged: true, reason: 'already_owner', rotation: null, turn: null };
    }
    return {
      ...common,
      unchanged: false,
      reason,
      rotation: turn?.rotation ?? null,
      turn: turn === null ? null : { rotationKey: turn.rotationKey, team: turn.team },
    };
  };
}
