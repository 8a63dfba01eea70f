/** The message of every dispatch that assigns (contract, section 4). */
export const ASSIGNED_MESSAGE = 'The object was successfully assigned';

/** The reasons of assignments that no distribution model makes. */
export const ASSIGNED_REASONS = ['account_matched', 'default_user', 'already_owner'] as const;

/** The messages of dispatches that do not assign, by their stable machine word (contract, section 4). */
export const REFUSALS = {
  router_unpublished: 'The router is unpublished',
  router_has_no_settings: 'The router has no settings',
  trigger_not_matched: 'Trigger did not match',
  /** The router has rules, none of them matches, and it has no pool of its own; no backup user gets it. */
  no_rule_matched: 'Trigger did not match',
  /** The first rule that matches has `refuse`. */
  rule_refused: 'Trigger did not match',
  owner_present: 'The router can not overwrite',
  /** Limits or capacities alone excluded at least one user, and there is no backup user. */
  assignment_limit_reached: 'Assignment limit reached',
  no_users_available: 'There are no users available and the backup user is disabled',
} as const;

/** Why nobody was assigned. */
export type RefusalReason = keyof typeof REFUSALS;
