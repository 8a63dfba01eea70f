import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations.js';

/** The groups of routes, in the order in which one meets them. */
const TAGS: readonly (readonly [name: string, description: string])[] = [
  ['Contacts', 'People. A contact has a name or an e-mail, and the e-mail is unique among the active ones.'],
  ['Companies', 'Organisations. The host of `website_url` is unique among the active ones.'],
  ['Deals', 'Business that may be won.'],
  ['Tickets', 'Requests of customers.'],
  ['Dispatch', 'Give a record to the user whose turn it is, or ask what would be decided, and why.'],
  ['Assignments', 'The log of every run of a router, each with the explanation of what it decided.'],
  [
    'Routers',
    'The rules by which records are assigned. A change is a draft until it is published, and what was ' +
      'published before can be made live again.',
  ],
  ['Users', 'The people that records are assigned to: when they work, and how much they take.'],
  ['Teams', 'Users in the order of their turns.'],
  ['Fields', 'What records hold: the standard fields, and those that an account adds.'],
  ['Capacities', 'How many active records of a kind a user may own.'],
  ['Clients', 'The programs that may use the API, with their secrets and scopes.'],
  ['Audit', 'Who has changed what in the configuration.'],
  [
    'Authentication',
    'Access tokens for clients (RFC 6749, client credentials), and the keys that verify them.',
  ],
  ['Health', 'For load balancers and orchestrators.'],
];

/** Describes the tags that operations have, in the order of use; those of a host come last. */
export function withTags(document: OpenAPIObject): OpenAPIObject {
  const used = new Set(operationsOf(document).flatMap(({ tags = [] }) => tags));
  const known = TAGS.filter(([name]) => used.has(name));
  const others = [...used].filter((name) => !known.some(([each]) => each === name));
  return {
    ...document,
    tags: [
      ...known.map(([name, description]) => ({ name, description })),
      ...others.map((name) => ({ name })),
    ],
  };
}
