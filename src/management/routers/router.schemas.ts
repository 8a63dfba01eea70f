import { OBJECT_TYPES } from '../../fields/index.js';
import {
  ARCHIVED,
  CHANGED_VALUES,
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
} from '../../http/index.js';
import { settingsIn, type Setting, type SettingKind, type SettingPlace } from '../../engine/index.js';
import { NewRouterDto, PublishDto, RollbackDto } from '../../routers/index.js';
import { dtoSchemas } from '../managed/managed-docs.js';

/** What answers show of a published router, for the OpenAPI document. */
export const ROUTER_SHOWN = {
  id: '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f',
  name: 'Inbound',
  object_type: 'contacts',
  has_integration: false,
  is_published: true,
  settings: {
    owner_field: 'contact_owner',
    overwrite: true,
    overwrite_if_unavailable: false,
    distribution_model: 'round robin',
    rotation_type: 'users',
    default_user: null,
    disable_default_assignment: false,
    ignore_working_hours: false,
    account_matching: false,
    trigger: { groups: [{ conditions: [{ field: 'country', operator: 'eq', value: 'Norway' }] }] },
  },
  users: [
    {
      id: '019a8f2c-8a10-7c44-b6f1-1c2d3e4f5a6b',
      email: 'ada@acme.test',
      name: 'Ada Lovelace',
      timezone: 'America/New_York',
      available: true,
    },
  ],
  teams: [{ id: '019a8f2c-8b21-7e55-a7a2-2d3e4f5a6b7c', name: 'Sales', members: ['ada@acme.test'] }],
  created_at: '2026-06-09T08:00:00.000Z',
  updated_at: '2026-06-10T21:05:06.789Z',
  archived: false,
};

const FLAG: Schema = { type: 'boolean' };
const FIELD = text('Internal name of a field');
const SHARE_IS = 'Share, under the percentage model';
const SHARE: Schemas = {
  percentage: {
    type: 'number',
    format: 'double',
    minimum: 0,
    maximum: 100,
    description: SHARE_IS,
  },
};

const CONDITION = closedObject(
  { field: FIELD, operator: text('Such as `eq`, `contains` or `is_empty`') },
  { value: { description: 'Any JSON; left out for operators that take none' } },
);

const TRIGGER: Schema = {
  description: 'Groups are OR-ed, conditions in a group AND-ed',
  ...closedObject({ groups: listOf(closedObject({ conditions: listOf(CONDITION) })) }),
};

const OF_KIND: Readonly<Record<SettingKind, (setting: Setting) => Schemas[string]>> = {
  flag: ({ sparse = false }) => (sparse ? { type: 'boolean', enum: [true] } : FLAG),
  id: ({ about = '' }) => text(about),
  minutes: () => integer(1),
  model: () => text('`round robin`, `percentage`, `load balanced` or of an extension'),
  name: () => NAME,
  owner: () => FIELD,
  rotation: () => ({}),
  rules: () => ({ ...listOf(reference('Rule')), description: 'Only where the router has rules' }),
  steps: () => listOf(reference('Step'), 20),
  teams: () => listOf(closedObject({ name: NAME }, SHARE)),
  trigger: () => reference('Trigger'),
  user: () => orNull(EMAIL),
  users: () => listOf(closedObject({ email: EMAIL }, SHARE)),
  word: ({ words = [], sparse = false, ...setting }) =>
    wordOf(sparse ? words.filter((word) => word !== setting.default) : words),
};

function schemaOf(setting: Setting): Schemas[string] {
  const schema = OF_KIND[setting.kind](setting);
  const about = [setting.about, setting.sparse && 'Only where set'].filter(Boolean).join('. ');
  return about === '' || 'description' in schema ? schema : { ...schema, description: about };
}

/** The object of the settings in one place. @param isRequired whether answers always have a setting */
function settingsObject(place: SettingPlace, isRequired: (setting: Setting) => boolean): Schema {
  const isJson = ({ kind }: Setting): number => Number(kind === 'trigger');
  const shown = settingsIn(place)
    .filter(({ kind }) => kind !== 'rotation')
    .sort((a, b) => isJson(a) - isJson(b));
  const schemas = (some: readonly Setting[]): Schemas =>
    Object.fromEntries(some.map((setting) => [setting.key, schemaOf(setting)]));
  return closedObject(
    schemas(shown.filter(isRequired)),
    schemas(shown.filter((setting) => !isRequired(setting))),
  );
}

const RULE: Schema = {
  description: 'What a rule leaves out it takes from the router',
  ...settingsObject('rule', ({ kind }) => kind === 'name'),
};

const STEP: Schema = {
  description: 'A pool. What it leaves out it takes from the rule or router that it belongs to',
  ...settingsObject('step', () => false),
};

const SETTINGS = settingsObject('router', ({ sparse = false }) => !sparse);

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

const WARNINGS = listOf(text('Such as `Nobody is in the pool of the router`', 2_000), 20);

const HEAD: Schemas = {
  id: ID,
  name: NAME,
  object_type: wordOf(OBJECT_TYPES),
  has_integration: { type: 'boolean', enum: [false] },
  is_published: FLAG,
};
const CONTENT: Schemas = {
  settings: {
    ...SETTINGS,
    type: ['object', 'null'],
    description: 'Flat; null for a router that was never given settings',
  },
  users: listOf(USER),
  teams: listOf(TEAM),
};
const TIMES: Schemas = { created_at: TIME, updated_at: TIME, archived: ARCHIVED };
const SOMETIMES: Schemas = {
  archived_by: orNull(text('Only when archived')),
  status: reference('RouterStatus'),
};

const ROUTER = closedObject(
  { ...HEAD, ...CONTENT, ...TIMES },
  {
    ...SOMETIMES,
    changes: CHANGED_VALUES,
    warnings: {
      ...WARNINGS,
      description: 'Only of a publication with `dry_run=true`: as those of `status`, of what would be live',
    },
  },
);
const LISTED: Schema = {
  description: 'A router; without settings, users and teams where `brief` asks for it so',
  ...closedObject({ ...HEAD, ...TIMES }, { ...CONTENT, ...SOMETIMES }),
};

const COUNT = integer(0);
const STATUS: Schema = {
  description: 'With `expand=status`',
  ...closedObject({
    assigned: { ...COUNT, description: 'In the last 24 hours: also who had the record already' },
    refused: { ...COUNT, description: 'In the last 24 hours: records that nobody got' },
    assigned_7d: { ...COUNT, description: 'On seven days in UTC, of which today is the last' },
    refused_7d: COUNT,
    deviation: {
      type: ['number', 'null'],
      description:
        'The largest credit of a member in one of its rotations, of either sign, in turns: how far that is from the ' +
        'fair share; null before the first turn',
    },
    draft: {
      description: 'A change that is not published; null for none',
      oneOf: [{ type: 'null' }, closedObject({ since: { ...TIME, description: 'When it changed last' } })],
    },
    warnings: {
      ...WARNINGS,
      description: 'What keeps it, or a rule or step of it, from assigning anybody',
    },
  }),
};

const VERSION: Schemas = {
  version: { ...integer(1), description: 'Counts from 1 for each router' },
  published_at: TIME,
  published_by: {
    description: 'Null for what was live before routers had versions',
    oneOf: [
      { type: 'null' },
      closedObject({
        kind: wordOf(['client', 'user', 'command']),
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
    RouterStatus: STATUS,
    ListedRouter: LISTED,
    RouterList: pageOf('ListedRouter', ROUTER_SHOWN),
    RouterVersion: {
      ...closedObject({ ...VERSION, router: reference('Router') }),
      examples: [{ ...VERSION_SHOWN, router: ROUTER_SHOWN }],
    },
    RouterVersionSummary: closedObject(VERSION),
    RouterVersionList: pageOf('RouterVersionSummary', VERSION_SHOWN),
    Trigger: TRIGGER,
    Rule: RULE,
    Step: STEP,
  };
}

const ABOUT = {
  object_type: 'Cannot change',
  settings: 'The keys of `settings` of a router. Keys that are left out stay; null removes all of them',
  'users.percentage': SHARE_IS,
  'teams.percentage': SHARE_IS,
};

/** Returns the schemas of the bodies that write routers in the OpenAPI document. */
export function routerBodySchemas(): Schemas {
  const body = closedObject({}, dtoSchemas(NewRouterDto, ABOUT).values);
  const note = { note: 'For those who read the versions' };
  return {
    NewRouter: { ...body, required: ['name', 'object_type'] },
    RouterChanges: body,
    RouterPublication: closedObject({}, dtoSchemas(PublishDto, note).values),
    RouterRollback: closedObject(dtoSchemas(RollbackDto).values),
    RouterDiff: {
      ...closedObject({ changes: listOf(reference('ValueChange')) }),
      examples: [{ changes: [{ path: 'settings.overwrite', from: false, to: true }] }],
    },
  };
}
