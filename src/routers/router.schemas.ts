import { OBJECT_TYPES } from '../fields/index.js';
import {
  ARCHIVED,
  closedObject,
  EMAIL,
  ID,
  integer,
  listOf,
  NAME,
  orNull,
  pageOf,
  reference,
  text,
  TIME,
  wordOf,
  type Schema,
  type Schemas,
} from '../http/index.js';
import { ROUTER_SHOWN } from './router.example.js';

const FLAG: Schema = { type: 'boolean' };
/** The name of a field. */
const FIELD = text('Internal name of a field');
const SHARE: Schemas = {
  percentage: {
    type: 'number',
    format: 'double',
    minimum: 0,
    maximum: 100,
    description: 'Share, under the percentage model',
  },
};
const ROTATION_TYPE = wordOf(['users', 'teams']);
const MODEL = text('`round robin`, `percentage`, `load balanced` or of an extension');

const CONDITION = closedObject(
  { field: FIELD, operator: text('Such as `eq`, `contains` or `is_empty`') },
  { value: { description: 'Any JSON; left out for operators that take none' } },
);

const TRIGGER: Schema = {
  description: 'Groups are OR-ed, conditions in a group AND-ed',
  ...closedObject({ groups: listOf(closedObject({ conditions: listOf(CONDITION) })) }),
};

const RULE: Schema = {
  description: 'What a rule leaves out it takes from the router',
  ...closedObject(
    { name: NAME },
    {
      id: text('Its rotation is kept by the id when the rule is renamed'),
      trigger: reference('Trigger'),
      refuse: { type: 'boolean', enum: [true], description: 'The rule assigns nobody. Only where set' },
      users: listOf(closedObject({ email: EMAIL }, SHARE)),
      teams: listOf(closedObject({ name: NAME }, SHARE)),
      distribution_model: MODEL,
      rotation_type: ROTATION_TYPE,
    },
  ),
};

const SETTINGS = closedObject(
  {
    owner_field: FIELD,
    overwrite: FLAG,
    overwrite_if_unavailable: FLAG,
    distribution_model: MODEL,
    rotation_type: ROTATION_TYPE,
    default_user: { ...orNull(EMAIL), description: 'E-mail of the backup user' },
    disable_default_assignment: FLAG,
    ignore_working_hours: FLAG,
    account_matching: FLAG,
    trigger: reference('Trigger'),
  },
  {
    account_matching_unavailable_owner: wordOf(['assign'], 'Only where set'),
    default_user_must_be_available: {
      type: 'boolean',
      enum: [true],
      description: 'The backup user must pass every check. Only where set',
    },
    no_rule_matched: wordOf(['default_user'], 'Only where set'),
    reimburse_within_minutes: { ...integer(1), description: 'Only where set' },
    rules: { ...listOf(reference('Rule')), description: 'Only where the router has rules' },
  },
);

const USER = closedObject(
  {
    id: ID,
    email: EMAIL,
    name: orNull(NAME),
    timezone: text('IANA zone name', 100),
    available: FLAG,
  },
  SHARE,
);

const TEAM = closedObject({ id: ID, name: NAME, members: listOf(EMAIL) }, SHARE);

const ROUTER = closedObject(
  {
    id: ID,
    name: NAME,
    object_type: wordOf(OBJECT_TYPES),
    has_integration: { type: 'boolean', enum: [false] },
    is_published: FLAG,
    settings: {
      ...SETTINGS,
      type: ['object', 'null'],
      description: 'Flat; null for a router that was never given settings',
    },
    users: listOf(USER),
    teams: listOf(TEAM),
    created_at: TIME,
    updated_at: TIME,
    archived: ARCHIVED,
  },
  { archived_by: orNull(text('Only when archived')) },
);

const VERSION: Schemas = {
  version: { ...integer(1), description: 'Counts from 1 for each router' },
  published_at: TIME,
  published_by: {
    description: 'Null for what was live before routers had versions',
    oneOf: [
      { type: 'null' },
      closedObject({
        kind: wordOf(['client', 'command']),
        id: { ...orNull(ID), description: 'Of the client; null for a command' },
        name: NAME,
      }),
    ],
  },
  note: orNull(text('As it was given when the version was published')),
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
