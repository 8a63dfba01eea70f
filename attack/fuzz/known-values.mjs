// Values that the keys of a configuration take, so that requests get behind what reads them.
const CUSTOM = Array.from({ length: 6 }, (_, n) => `text_${n}`);
const TEXT_FIELDS = ['first_name', 'city', ...CUSTOM];
const people = (n, random) => [`fuzz${random.below(n + 1)}@example.org`, ...PEOPLE];
const PEOPLE = ['user0', 'user1', 'user2'].map((name) => `${name}@south.test`);

/** Texts of which keys of a configuration are, one of which is drawn: some are taken, or unknown. */
export const KNOWN = {
  email: (n, random) => [`fuzz${n}@example.org`, ...people(n, random)],
  members: people,
  name: (n, random) => [`Name ${n}`, `Name ${random.below(n + 1)}`, 'Sales', 'Inbound', 'Leads'],
  internal_name: (n) => [`made_${n}`, `Option ${n}`, ...CUSTOM],
  type: () => ['string', 'number', 'bool', 'datetime', 'enumeration', 'user'],
  field: () => TEXT_FIELDS,
  timezone: () => ['UTC', 'America/New_York', 'Asia/Kolkata', 'Mars/Olympus'],
  start: () => ['00:00', '09:00', '23:59'],
  end: () => ['00:00', '17:30', '24:00'],
  holidays: () => ['2026-12-25', '2024-02-29'],
  scope: () => ['records:read', 'manage', 'records:read dispatch manage', 'availability'],
  version: () => ['live', 'draft', '1', '2', '99'],
  object: () => ['user', 'router', 'client'],
  by: () => ['apply', 'client create', 'nobody'],
  orphan: () => ['true', 'false'],
};

/** Settings of a router, of which some are drawn. */
export const SETTINGS = {
  overwrite: () => true,
  distribution_model: (random) => random.one(['round robin', 'load balanced', 'percentage']),
  rotation_type: (random) => random.one(['users', 'teams']),
  default_user: (random) => random.one([...PEOPLE, null]),
  account_matching: () => true,
  reimburse_within_minutes: (random) => random.below(100),
  no_rule_matched: (random) => random.one(['refuse', 'default_user']),
  trigger: (random) => triggerOf(random),
  rules: (random) =>
    Array.from({ length: random.below(4) }, (_, n) => ({
      name: `Rule ${n}`,
      trigger: triggerOf(random),
      ...(random.chance(0.2) ? { refuse: true } : { users: [{ email: random.one(PEOPLE) }] }),
    })),
};

const triggerOf = (random) => ({
  groups: Array.from({ length: random.below(3) }, () => ({
    conditions: Array.from({ length: random.below(3) }, () => ({
      field: random.one(TEXT_FIELDS),
      operator: random.one(['eq', 'contains', 'in', 'gt', 'is_empty']),
      value: random.one(['a', ['a', 'b'], 5, '']),
    })),
  })),
});
