// What the two accounts have: a quiet one, and one whose clients attack.
const OBJECT_TYPE = 'contacts';

export const VICTIM = 'north';
export const ATTACKER = 'south';

/** Routers that share the users with limits. */
export const SHARING_ROUTERS = 40;

/** Long text fields of the attacker, which do not count towards the size of a record. */
export const LONG_FIELDS = ['notes_1', 'notes_2', 'notes_3'];

/** Text fields of the attacker beside the standard ones. */
export const TEXT_FIELDS = Array.from({ length: 20 }, (_, n) => `text_${n}`);

const LIMITS = { hour: 1_000_000, day: 1_000_000, week: 1_000_000, month: 1_000_000 };

const usersOf = (slug, count) =>
  Array.from({ length: count }, (_, n) => ({ email: `user${n}@${slug}.test`, limits: LIMITS }));

const poolOf = (users) => users.map(({ email }) => ({ email }));

function router(name, users, settings = {}) {
  return {
    name,
    object_type: OBJECT_TYPE,
    published: true,
    settings: { overwrite: true, ...settings },
    users,
  };
}

function field(internal_name, more = {}) {
  return { object_type: OBJECT_TYPE, internal_name, label: internal_name, type: 'string', ...more };
}

/** The account of the attacker, or one like it. */
function attackingAccount(slug) {
  const users = usersOf(slug, 10);
  const pool = poolOf(users);
  const sharing = Array.from({ length: SHARING_ROUTERS }, (_, n) => router(`Shared ${n}`, pool));
  const rules = Array.from({ length: 200 }, (_, n) => ({
    name: `Rule ${n}`,
    trigger: {
      groups: [
        {
          conditions: TEXT_FIELDS.slice(0, 5).map((name) => ({
            field: name,
            operator: 'contains',
            value: `${n}`,
          })),
        },
      ],
    },
    users: pool,
  }));
  return {
    slug,
    name: slug,
    users,
    teams: [{ name: 'Sales', members: pool.slice(0, 3).map(({ email }) => email) }],
    fields: [
      ...TEXT_FIELDS.map((name) => field(name)),
      ...LONG_FIELDS.map((name) => field(name, { long: true })),
      // The name of what every object inherits.
      field('constructor'),
    ],
    capacities: [
      {
        name: 'Leads',
        object_type: OBJECT_TYPE,
        field: 'lifecycle_stage',
        values: ['lead'],
        users: pool.map((one) => ({ ...one, max: 9 })),
      },
    ],
    routers: [router('Inbound', pool), router('Rules', pool, { rules }), ...sharing],
  };
}

/** A configuration file. JSON is YAML. */
export function configuration() {
  const quiet = usersOf(VICTIM, 2);
  const victim = { slug: VICTIM, name: VICTIM, users: quiet, routers: [router('Inbound', poolOf(quiet))] };
  return JSON.stringify({ accounts: [victim, attackingAccount(ATTACKER)] });
}

/** One account like that of the attacker. */
export const likeAttacker = (slug) => JSON.stringify({ accounts: [attackingAccount(slug)] });

/** The same, with many users of the attacker, for a change that takes long. */
export function largeConfiguration(count) {
  return JSON.stringify({ accounts: [{ slug: ATTACKER, users: usersOf(ATTACKER, count) }] });
}
