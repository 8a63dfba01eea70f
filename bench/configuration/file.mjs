// The configuration file of a large account.

const any = (count, of) => Array.from({ length: count }, (_, n) => of(n));
const mail = (n) => `user${n}@bench.test`;

/** A rule of five conditions, four of which many records meet, for a team. */
const rule = (n, { teams, fields }) => ({
  name: `Rule ${n}`,
  trigger: {
    groups: [
      {
        conditions: [
          { field: 'country', operator: 'eq', value: 'Norway' },
          { field: 'city', operator: 'in', value: ['Oslo', 'Bergen', 'Tromsø'] },
          { field: 'job_title', operator: 'contains', value: 'engineer' },
          { field: 'lead_source', operator: 'neq', value: 'referral' },
          { field: `field_${n % fields}`, operator: 'eq', value: `value ${n}` },
        ],
      },
    ],
  },
  teams: [{ name: `Team ${n % teams}` }],
});

/**
 * @param size users, teams, fields, routers, and rules of each router
 * @returns an account of a configuration file
 */
export function accountOf(slug, { users, teams, fields, routers, rules }) {
  return {
    slug,
    users: any(users, (n) => ({
      email: mail(n),
      name: `User ${n}`,
      timezone: 'Europe/Oslo',
      working_hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '08:00', end: '17:00' }],
      limits: { day: 1_000_000 },
    })),
    teams: any(teams, (n) => ({
      name: `Team ${n}`,
      members: any(users, mail).filter((_, user) => user % teams === n),
    })),
    fields: any(fields, (n) => ({ object_type: 'contacts', internal_name: `field_${n}`, type: 'string' })),
    routers: any(routers, (n) => ({
      name: `Router ${n}`,
      object_type: 'contacts',
      published: true,
      settings: { overwrite: true, rules: any(rules, (number) => rule(number, { teams, fields })) },
      users: any(10, (user) => ({ email: mail((n * 10 + user) % users) })),
    })),
  };
}
