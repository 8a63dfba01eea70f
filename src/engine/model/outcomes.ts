/** The message of every dispatch that assigned (contract, section 4). */
export const ASSIGNED_MESSAGE = 'The object was successfully assigned';

/** The messages of dispatches that did not assign, by their stable machine word (contract, section 4). */
export const REFUSALS = {
  router_unpublished: 'The router is unpublished',
  router_has_no_settings: 'The router has no settings',
  trigger_not_matched: 'Trigger did not match',
  /** The router has rules, none of them matched, and it has no pool of its own. */
  no_rule_matched: 'Trigger did not match',
  owner_present: 'The router can not overwrite',
  /** Somebody was kept out by limits or capacities alone, and there is no backup. */
  assignment_limit_reached: 'Assignment limit reached',
  no_users_available: 'There are no users available and the backup user is disabled',
} as const;

/** Why nobody was assigned. */
export type RefusalReason = keyof typeof REFUSALS;
