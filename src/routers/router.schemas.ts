import { OBJECT_TYPES } from '../fields/index.js';
import {
  ARCHIVED,
  closedObject,
  ID,
  pageOf,
  reference,
  type Schema,
  type Schemas,
  text,
  TIME,
} from '../http/index.js';
import { ROUTER_SHOWN } from './router.example.js';

const FLAG: Schema = { type: 'boolean' };
const NAME: Schema = { type: 'string' };
const SHARE: Schemas = {
  percentage: { type: 'number', minimum: 0, maximum: 100, description: 'Share, under the percentage model' },
};
const ROTATION_TYPE: Schema = { type: 'string', enum: ['users', 'teams'] };

const arrayOf = (items: Schemas[string]): Schema => ({ type: 'array', items });

const CONDITION = closedObject(
  { field: NAME, operator: NAME },
  { value: { description: 'Any JSON; left out for operators that take none' } },
);

const TRIGGER: Schema = {
  description: 'Groups are OR-ed, conditions in a group AND-ed',
  ...closedObject({ groups: arrayOf(closedObject({ conditions: arrayOf(CONDITION) })) }),
};

const RULE: Schema = {
  description: 'What a rule leaves out it takes from the router',
  ...closedObject(
    { name: NAME },
    {
      id: text('Its rotation is kept by the id when the rule is renamed'),
      trigger: reference('Trigger'),
      refuse: { type: 'boolean', enum: [true], description: 'The rule assigns nobody. Only where set' },
      users: arrayOf(closedObject({ email: NAME }, SHARE)),
      teams: arrayOf(closedObject({ name: NAME }, SHARE)),
      distribution_model: NAME,
      rotation_type: ROTATION_TYPE,
    },
  ),
};

const SETTINGS = closedObject(
  {
    owner_field: NAME,
    overwrite: FLAG,
    overwrite_if_unavailable: FLAG,
    distribution_model: NAME,
    rotation_type: ROTATION_TYPE,
    default_user: { type: ['string', 'null'], description: 'E-mail of the backup user' },
    disable_default_assignment: FLAG,
    ignore_working_hours: FLAG,
    account_matching: FLAG,
    trigger: reference('Trigger'),
  },
  {
    account_matching_unavailable_owner: { type: 'string', enum: ['assign'], description: 'Only where set' },
    default_user_must_be_available: {
      type: 'boolean',
      enum: [true],
      description: 'The backup user must pass every check. Only where set',
    },
    no_rule_matched: { type: 'string', enum: ['default_user'], description: 'Only where set' },
    reimburse_within_minutes: { type: 'integer', minimum: 1, description: 'Only where set' },
    rules: { ...arrayOf(reference('Rule')), description: 'Only where the router has rules' },
  },
);

const USER = closedObject(
  {
    id: ID,
    email: NAME,
    name: { type: ['string', 'null'] },
    timezone: text('IANA zone name'),
    available: FLAG,
  },
  SHARE,
);

const TEAM = closedObject(
  { id: ID, name: NAME, members: { ...arrayOf(NAME), description: 'E-mail addresses' } },
  SHARE,
);

const ROUTER = closedObject(
  {
    id: ID,
    name: NAME,
    object_type: { type: 'string', enum: [...OBJECT_TYPES] },
    has_integration: { type: 'boolean', enum: [false] },
    is_published: FLAG,
    settings: {
      ...SETTINGS,
      type: ['object', 'null'],
      description: 'Flat; null for a router that was never given settings',
    },
    users: arrayOf(USER),
    teams: arrayOf(TEAM),
    created_at: TIME,
    updated_at: TIME,
    archived: ARCHIVED,
  },
  { archived_by: { type: ['string', 'null'], description: 'Only when archived' } },
);

const VERSION: Schemas = {
  version: { type: 'integer', minimum: 1, description: 'Counts from 1 for each router' },
  published_at: TIME,
  published_by: {
    description: 'Null for what was live before routers had versions',
    oneOf: [
      { type: 'null' },
      closedObject({
        kind: { type: 'string', enum: ['client', 'command'] },
        id: { type: ['string', 'null'], format: 'uuid', description: 'Of the client; null for a command' },
        name: NAME,
      }),
    ],
  },
  note: { type: ['string', 'null'], description: 'As it was given when the version was published' },
};

const VERSION_SHOWN = {
  version: 3,
  published_at: '2026-06-10T21:05:06.789Z',
  published_by: { kind: 'client', id: '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5', name: 'CRM sync' },
  note: 'The new pool for spring',
};

/** Returns the schemas of routers in the OpenAPI document. */
export function routerSchemas(): Schemas {
  return {
    Router: { ...ROUTER, examples: [ROUTER_SHOWN] },
    RouterList: pageOf('Router', ROUTER_SHOWN),
    RouterVersion: {
      ...closedObject({ ...VERSION, router: reference('Router') }),
      examples: [{ ...VERSION_SHOWN, router: ROUTER_SHOWN }],
    },
    RouterVersionSummary: closedObject(VERSION),
    RouterVersionList: pageOf('RouterVersionSummary', VERSION_SHOWN),
    Trigger: TRIGGER,
    Rule: RULE,
  };
}
