// The large account: that of the growth benchmark with more people, teams, routers and rules.
import { parse, stringify } from 'yaml';
import { CONFIGURATION } from '../growth/configuration.mjs';
import { randomOf } from '../support/random.mjs';
import { LARGEST } from './screens.mjs';

const OF_CONTACTS = { object_type: 'contacts', published: true };
const COUNTRIES = ['AT', 'CH', 'DE', 'DK', 'ES', 'FR', 'GB', 'IT', 'NO', 'SE'];
const working_hours = [
  { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], start: '08:00', end: '20:00' },
];

/**
 * @param sizes `users`, `teams`, `routers` and the `rules` of each; `largest`: the rules of one more
 * @returns the configuration file
 */
export function configurationOf({ users, routers, rules, largest, teams = 150 }) {
  const { one } = randomOf(1);
  const file = parse(CONFIGURATION);
  const [account] = file.accounts;
  for (let n = account.users.length; n < users; n++) {
    const limits = n % 3 === 0 ? { limits: { day: 20 } } : {};
    account.users.push({ email: `person${n}@bench.test`, working_hours, available: n % 20 > 0, ...limits });
  }
  account.users.forEach((user, n) => (user.name = `Person ${n}`));
  const emails = account.users.map(({ email }) => email);
  for (let n = 0; n < teams; n++)
    account.teams.push({ name: `Team ${n}`, members: emails.filter((_, place) => place % teams === n) });
  const rule = (n) => {
    const conditions = [
      { field: 'country', operator: 'in', value: [one(COUNTRIES), one(COUNTRIES)] },
      { field: 'city', operator: 'eq', value: `City ${n}` },
    ];
    const people = [...new Set([one(emails), one(emails)])].map((email) => ({ email }));
    const pool = n % 10 === 0 ? { teams: [{ name: one(account.teams).name }] } : { users: people };
    return { name: `Rule ${n}`, trigger: { groups: [{ conditions }] }, ...pool };
  };
  const router = (name, count) => {
    const settings = { overwrite: true, rules: Array.from({ length: count }, (_, n) => rule(n)) };
    account.routers.push({ ...OF_CONTACTS, name, settings, users: [{ email: one(emails) }] });
  };
  for (let n = account.routers.length; n < routers; n++) router(`Router ${n}`, rules);
  router(LARGEST, largest);
  return stringify(file);
}
