/** The assignment log, its traces, and its counts by day. */
export const ASSIGNMENTS = [
  // `step`: 0 for the own pool of router or rule, null for no turn. `user_id`: the new owner; null where
  // nobody was assigned, or the owner stayed. `rotation`, `team`: keys of what gave the turn, so that it can
  // be returned. `turn_owed`: the turn of a returned entry, until a dispatch of its router has taken it over;
  // `charged_to`: who is charged for it, null for the whole pool.
  `CREATE TABLE assignments (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    router_id uuid NOT NULL,
    router_version integer,
    rule text,
    step smallint,
    object_type text NOT NULL,
    object_id uuid NOT NULL,
    user_id uuid,
    previous_user_id uuid,
    reason text NOT NULL,
    message text NOT NULL,
    rotation text,
    team text,
    returned_at timestamptz,
    turn_owed boolean NOT NULL DEFAULT false,
    charged_to uuid,
    created_at timestamptz NOT NULL,
    CONSTRAINT assignments_pkey PRIMARY KEY (account_id, id)
  )`,
  // Ids sort in the order of the decisions.
  'CREATE INDEX assignments_router_idx ON assignments (account_id, router_id, id)',
  'CREATE INDEX assignments_object_idx ON assignments (account_id, object_id, id)',
  'CREATE INDEX assignments_user_idx ON assignments (account_id, user_id, id) WHERE user_id IS NOT NULL',
  // For limits, which count the newest entries of a user. The second is for instants of the past.
  `CREATE INDEX assignments_newest_idx ON assignments (account_id, user_id, created_at)
    WHERE user_id IS NOT NULL AND returned_at IS NULL`,
  `CREATE INDEX assignments_returned_idx ON assignments (account_id, user_id, created_at)
    WHERE returned_at IS NOT NULL`,
  'CREATE INDEX assignments_owed_idx ON assignments (account_id, router_id, id) WHERE turn_owed',

  // Traces are large, and may be deleted before their entries. The type json keeps the order of their keys.
  `CREATE TABLE assignment_traces (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    trace json NOT NULL,
    CONSTRAINT assignment_traces_pkey PRIMARY KEY (account_id, id)
  )`,

  // The day `infinity` is for the counts of all days. Rows change often, and no index has what changes:
  // updates stay in their page.
  `CREATE TABLE assignment_days (
    account_id uuid NOT NULL,
    day date NOT NULL,
    router_id uuid NOT NULL,
    rule text NOT NULL,
    step smallint NOT NULL,
    user_id uuid NOT NULL,
    reason text NOT NULL,
    entries integer NOT NULL,
    CONSTRAINT assignment_days_pkey PRIMARY KEY (account_id, day, router_id, rule, step, user_id, reason)
  ) WITH (fillfactor = 80)`,
];
