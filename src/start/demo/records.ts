import type { ObjectType } from '../../fields/index.js';
import type { PastRecord } from '../../records/index.js';

/** A record of the demo account, and the router that ran on it; undefined for one on which none ran. */
export interface DemoRecord extends PastRecord {
  readonly objectType: ObjectType;
  readonly router?: string;
}

const FIRST =
  'Edsger Emmy Alonzo Sofia Niels Lise Kurt Marie Leonhard Hypatia Blaise Caroline Evariste Maria'.split(' ');
const LAST =
  'Dijkstra Noether Church Kovalevskaya Abel Meitner Curie Euler Pascal Herschel Galois Agnesi Riemann'.split(
    ' ',
  );
const COMPANIES =
  'Analytical Difference Loom Relay Vacuum Ferrite Lattice Cipher Tabula Abacus Orrery Sextant'.split(' ');
const KINDS = 'Works Systems Labs Partners Foods Energy'.split(' ');
const COUNTRIES = 'US GB DE US SG FR US JP ES IN US SE AU BR'.split(' ');
const SOURCES = 'website referral event webinar'.split(' ');
const TITLES = ['Head of Sales', 'Engineer', 'Buyer', 'Chief Operating Officer', 'Student', 'Office Manager'];
const PRIORITIES = 'low medium high urgent medium'.split(' ');
const TROUBLES = ['Cannot sign in', 'Invoice is wrong', 'Export stops', 'Question on prices', 'Page is slow'];

const WEEK = 7 * 86_400_000;
const COUNTS = { companies: 70, contacts: 140, deals: 50, tickets: 40 } as const;

/** A word of a list, by a number. */
const pick = (words: readonly string[], n: number): string => words[n % words.length] ?? '';

/** The host of a company of the demo. */
const hostOf = (n: number): string =>
  `${pick(COMPANIES, n)}-${pick(KINDS, Math.floor(n / COMPANIES.length))}.example`.toLowerCase();

/**
 * The 300 records of the demo account, in the order of their instants in the week before one.
 * Some have no router: nobody has dispatched them yet.
 */
export function demoRecords(now: Date): DemoRecord[] {
  const all = [
    ...spread('companies', now, (n) => company(n)),
    ...spread('contacts', now, (n) => contact(n)),
    ...spread('deals', now, (n) => deal(n)),
    ...spread('tickets', now, (n) => ticket(n)),
  ];
  return all.sort((one, other) => one.at.getTime() - other.at.getTime());
}

const ROUTERS: Readonly<Record<ObjectType, string>> = {
  companies: 'New companies',
  contacts: 'Inbound',
  deals: 'Deal desk',
  tickets: 'Support',
};

/** Spreads the records of a type over the week; some of them wait. */
function spread(
  objectType: ObjectType,
  now: Date,
  fieldsOf: (n: number) => Record<string, string>,
): DemoRecord[] {
  const count = COUNTS[objectType];
  return Array.from({ length: count }, (_, n) => {
    // A step that no other type has, so that types alternate.
    const share = (n + ((n * 7) % 5) / 5) / (count + 1);
    const at = new Date(now.getTime() - Math.round(WEEK * (1 - share)) - 120_000);
    const waits = n % 17 === 16;
    return { objectType, at, fields: fieldsOf(n), ...(waits ? {} : { router: ROUTERS[objectType] }) };
  });
}

function company(n: number): Record<string, string> {
  const name = `${pick(COMPANIES, n)} ${pick(KINDS, Math.floor(n / COMPANIES.length))}`;
  const employees = [12, 3400, 85, 240, 18, 1500][n % 6] ?? 1;
  return {
    company_name: name,
    website_url: hostOf(n),
    country: pick(COUNTRIES, n),
    number_of_employees: `${employees + n}`,
  };
}

function contact(n: number): Record<string, string> {
  const [first, last] = [pick(FIRST, n), pick(LAST, n * 5 + Math.floor(n / FIRST.length))];
  // Every third one writes from a company that is there, which account matching finds.
  const host = n % 11 === 10 ? 'college.edu' : n % 3 === 0 ? hostOf(n >> 1) : `mail${n % 9}.example`;
  return {
    first_name: first,
    last_name: last,
    email: `${first}.${last}${n}@${host}`.toLowerCase(),
    job_title: pick(TITLES, n),
    country: pick(COUNTRIES, n * 3 + 1),
    lead_score: `${(n * 37) % 101}`,
    lead_source: pick(SOURCES, n),
  };
}

function deal(n: number): Record<string, string> {
  return {
    deal_name: `${pick(COMPANIES, n * 5)} ${pick(['renewal', 'expansion', 'pilot'], n)}`,
    pipeline: 'default',
    deal_stage: 'new',
    amount: `${2_500 + ((n * 7_919) % 90_000)}`,
  };
}

function ticket(n: number): Record<string, string> {
  return {
    ticket_name: `${pick(TROUBLES, n)}: ${pick(COMPANIES, n * 3)}`,
    pipeline: 'default',
    ticket_stage: 'new',
    priority: pick(PRIORITIES, n),
  };
}
