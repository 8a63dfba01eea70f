/**
 * Returns the assignment log, its counts and what was taken back.
 * @param boundary the first id of a month at least one month from now, at which the log is divided
 */
export const assignments = (boundary: string): readonly string[] => [
  // The log is divided by time, which its ids begin with (ADR 18). The service makes the partitions of later
  // months out of the last one, which has no end, so that no entry is ever without a partition. `trace` is
  // that of entries without a row in `assignment_traces`; `turn` is returned when the owner changes soon.
  `CREATE TABLE assignments (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    router_id uuid NOT NULL,
    object_type text NOT NULL,
    object_id uuid NOT NULL,
    user_email text,
    previous_user text,
    reason text NOT NULL,
    message text NOT NULL,
    trace jsonb,
    created_at timestamptz NOT NULL,
    turn jsonb,
    router_version integer,
    CONSTRAINT assignments_pkey PRIMARY KEY (account_id, id)
  ) PARTITION BY RANGE (id)`,
  // Ids sort in the order of the decisions.
  'CREATE INDEX assignments_router_idx ON assignments (account_id, router_id, id)',
  'CREATE INDEX assignments_object_idx ON assignments (account_id, object_id, id)',
  'CREATE INDEX assignments_user_idx ON assignments (account_id, user_email, id) WHERE user_email IS NOT NULL',
  ...partitions('assignments', boundary),

  // Traces are dropped before their entries.
  `CREATE TABLE assignment_traces (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    trace jsonb NOT NULL,
    CONSTRAINT assignment_traces_pkey PRIMARY KEY (account_id, id)
  ) PARTITION BY RANGE (id)`,
  ...partitions('assignment_traces', boundary),

  // What the log is counted from (ADR 16). The number of entries of a last block changes often, and is in no
  // index: the update stays in its page.
  `CREATE TABLE assignment_blocks (
    account_id uuid NOT NULL,
    router_id uuid NOT NULL,
    user_email text NOT NULL,
    before bigint NOT NULL,
    first_id uuid NOT NULL,
    entries integer NOT NULL,
    CONSTRAINT assignment_blocks_pkey PRIMARY KEY (account_id, router_id, user_email, before)
  ) WITH (fillfactor = 90)`,
  `CREATE INDEX assignment_blocks_user_idx ON assignment_blocks (account_id, user_email, first_id)
    WHERE router_id = '00000000-0000-0000-0000-000000000000'`,
  `CREATE TABLE assignment_folds (
    account_id uuid NOT NULL,
    last_id uuid NOT NULL,
    late_ms bigint NOT NULL,
    early_ms bigint NOT NULL,
    CONSTRAINT assignment_folds_pkey PRIMARY KEY (account_id)
  )`,
  // The numbers of entries that were dropped, by series.
  `CREATE TABLE assignment_bases (
    account_id uuid NOT NULL,
    router_id uuid NOT NULL,
    user_email text NOT NULL,
    entries bigint NOT NULL,
    CONSTRAINT assignment_bases_pkey PRIMARY KEY (account_id, router_id, user_email)
  )`,

  // Assignments that were taken back soon after they were made (ADR 19).
  `CREATE TABLE returned_assignments (
    account_id uuid NOT NULL,
    assignment_id uuid NOT NULL,
    user_email text NOT NULL,
    assigned_at timestamptz NOT NULL,
    returned_at timestamptz NOT NULL,
    router_id uuid NOT NULL,
    rotation_key text,
    team text,
    new_owner text,
    CONSTRAINT returned_assignments_pkey PRIMARY KEY (account_id, assignment_id)
  )`,
  `CREATE INDEX returned_assignments_user_idx ON returned_assignments
    (account_id, user_email, assigned_at)`,
  `CREATE INDEX returned_assignments_turn_idx ON returned_assignments
    (account_id, router_id, assignment_id) WHERE rotation_key IS NOT NULL`,
];

function partitions(table: string, boundary: string): readonly string[] {
  return [
    `CREATE TABLE ${table}_first PARTITION OF ${table} FOR VALUES FROM (MINVALUE) TO ('${boundary}')`,
    `CREATE TABLE ${table}_later PARTITION OF ${table} FOR VALUES FROM ('${boundary}') TO (MAXVALUE)`,
  ];
}
