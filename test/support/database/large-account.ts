const many = <T>(count: number, of: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => of(n));

const mail = (n: number): string => `user${n}@large.test`;

/**
 * Returns a configuration file with one account of 500 users, 40 teams, 200 fields, 20 capacities and 100
 * routers of 20 rules.
 * @param edition of which each changes every object of the other: all have other values, and every tenth is
 *   there in one edition only
 */
export function largeAccount(slug: string, edition: 'old' | 'new'): string {
  const isNew = edition === 'new';
  const isThere = (n: number): boolean => n % 10 !== (isNew ? 1 : 2);
  const users = many(500, (n) => ({ email: mail(n), name: `${edition} ${n}`, limits: { day: isNew ? 9 : 5 } }));
  const teams = many(40, (n) => ({
    name: `Team ${n}`,
    members: many(10, (m) => mail(10 * n + (isNew ? 9 - m : m))),
  }));
  const fields = many(200, (n) => ({
    object_type: 'contacts',
    internal_name: `field_${n}`,
    label: `${edition} ${n}`,
    type: 'string',
  }));
  const capacities = many(20, (n) => ({
    name: `Capacity ${n}`,
    object_type: 'contacts',
    field: 'city',
    values: [`${edition} ${n}`],
    teams: [{ name: `Team ${n}`, max: 9 }],
  }));
  const rules = many(20, (n) => ({
    name: `Rule ${n}`,
    trigger: { groups: [{ conditions: [{ field: `field_0`, operator: 'eq', value: `${edition} ${n}` }] }] },
    teams: [{ name: `Team ${10 * n % 40}` }],
  }));
  const routers = many(100, (n) => ({
    name: `Router ${n}`,
    object_type: 'contacts',
    published: n % 3 !== 0,
    settings: { overwrite: isNew, rules },
    users: [{ email: mail(10 * n % 500) }],
  }));
  const there = <T>(items: readonly T[]): T[] => items.filter((_, n) => isThere(n));
  const account = { slug, users, teams, fields: there(fields), capacities: there(capacities), routers: there(routers) };
  return JSON.stringify({ accounts: [{ ...account, users: there(users).concat(users.filter((_, n) => !isThere(n))) }] });
} // prettier-ignore
