// The account of the growth benchmark: 400 users, most of them with limits, a capacity, and a router for each
// way of deciding.
const emails = (prefix, count) => Array.from({ length: count }, (_, n) => `${prefix}${n}@bench.test`);
export const FREE = emails('free', 100);

/** By their limit of assignments in a month. */
const LIMITS = [10, 300, 5_000];
export const LIMITED = Object.fromEntries(LIMITS.map((limit) => [limit, emails(`limited${limit}-`, 100)]));

/** Values of the field `tier`. The capacity counts the first two. */
export const TIERS = ['open', 'trial', 'won', 'lost'];

const pool = (users) => `[${users.map((email) => `{ email: ${email} }`).join(', ')}]`;
const router = (name, { settings = '', users = FREE } = {}) =>
  `{ name: ${name}, object_type: contacts, published: true, settings: { overwrite: true${settings} }, users: ${pool(users)} }`;

const LOADS = ', distribution_model: load balanced';
const PARTNER = ', owner_field: partner';

/** What is measured: a router, and the tier of the contacts that it gets. */
export const DISPATCHES = [
  { name: 'round robin', router: 'rr', tier: 'won' },
  { name: 'account matching', router: 'match', tier: 'won' },
  ...LIMITS.map((limit) => ({ name: `limits of ${limit}`, router: `limits-${limit}`, tier: 'won' })),
  { name: 'load balanced', router: 'loads', tier: 'won' },
  { name: 'load balanced, own owner field', router: 'loads-partner', tier: 'won' },
  { name: 'capacity', router: 'rr', tier: 'open' },
  { name: 'capacity, load balanced', router: 'loads', tier: 'open' },
  { name: 'capacity, own owner field', router: 'partner', tier: 'open' },
];

/** The configuration file. */
export const CONFIGURATION = `accounts:
  - slug: bench
    users:
${FREE.map((email) => `      - { email: ${email} }`).join('\n')}
${LIMITS.flatMap((month) => LIMITED[month].map((email) => `      - { email: ${email}, limits: { month: ${month} } }`)).join('\n')}
    teams: [{ name: Free, members: [${FREE.join(', ')}] }]
    fields:
      - { object_type: contacts, internal_name: partner, type: user }
      - { object_type: contacts, internal_name: tier, type: enumeration, options: [${TIERS.map((tier) => `{ internal_name: ${tier} }`).join(', ')}] }
      - { object_type: contacts, internal_name: notes, type: string }
    capacities:
      - { name: Open, object_type: contacts, field: tier, values: [open, trial], teams: [{ name: Free, max: 10000000 }] }
    routers:
      - ${router('rr')}
      - ${router('match', { settings: ', account_matching: true' })}
${LIMITS.map((limit) => `      - ${router(`limits-${limit}`, { users: LIMITED[limit] })}`).join('\n')}
      - ${router('loads', { settings: LOADS })}
      - ${router('loads-partner', { settings: LOADS + PARTNER })}
      - ${router('partner', { settings: PARTNER })}
`;
