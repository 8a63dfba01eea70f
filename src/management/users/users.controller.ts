import { UserDto } from '../../directory/index.js';
import { OBJECT_TYPES } from '../../fields/index.js';
import {
  closedObject,
  described,
  EMAIL,
  errorSchema,
  flag,
  ID,
  integer,
  listOf,
  NAME,
  optionalText,
  orNull,
  q,
  text,
  wordOf,
  type Schema,
  type Schemas,
} from '../../http/index.js';
import { MOST_COUNT } from '../../validation/decorators.js';
import { managedController } from '../managed/managed.controller.js';
import type { DocumentedAnswer, KindDocs } from '../managed/managed-docs.js';
import { AvailabilityGuard } from './availability.guard.js';
import { UsersKind } from './users.kind.js';

/** An end of an absence (contract section 3). */
const END_OF_ABSENCE = text('ISO 8601: an instant, or a date alone', 100);

/** The body of a request that creates a user. */
const USER_EXAMPLE = {
  email: 'mary@demo.test',
  name: 'Mary Jackson',
  timezone: 'America/New_York',
  working_hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '09:00', end: '17:30' }],
  limits: { day: 40 },
};

/** What an answer shows of it. */
const USER_SHOWN = { ...USER_EXAMPLE, available: true, out_of_office: [], holidays: [] };

const ROUTER_ID = '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f';

/** The refusal to archive a user whom records or routers name. */
const USER_IN_USE: DocumentedAnswer = {
  description: 'Records or routers name the user: `orphan=true` archives the user nevertheless',
  schema: 'UserInUse',
  example: {
    message:
      'This user owns 3 contacts and 1 deal, and is listed by the router Inbound: ' +
      'change that first, or send orphan=true',
    error: true,
    code: 'conflict',
    records: { contacts: 3, deals: 1 },
    routers: [{ id: ROUTER_ID, name: 'Inbound' }],
    request_id: '019a8f3e-2b7c-7d10-9e42-5f6a7b8c9d0e',
  },
};

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const COUNT: Schema = integer(0, MOST_COUNT);

const VALUES: Schemas = {
  email: { ...EMAIL, description: 'In lower case' },
  name: orNull(NAME),
  timezone: text('An IANA zone; default UTC', 100),
  available: {
    type: 'boolean',
    description: 'The switch; default true. A body with this key alone needs the scope `availability` only',
  },
  working_hours: {
    ...orNull(
      listOf(
        closedObject({
          days: listOf(wordOf(DAYS), DAYS.length),
          start: { ...text('HH:MM', 5), pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' },
          end: { ...text('HH:MM; not after `start`: past midnight', 5), pattern: '^\\d\\d:\\d\\d$' },
        }),
        100,
      ),
    ),
    description: 'Null: always',
  },
  out_of_office: listOf(closedObject({ from: END_OF_ABSENCE, to: END_OF_ABSENCE }), 1_000),
  holidays: listOf({ type: 'string', format: 'date', maxLength: 10 }, 1_000),
  limits: {
    ...orNull(
      closedObject(
        {},
        {
          hour: COUNT,
          day: COUNT,
          week: COUNT,
          month: COUNT,
          window: wordOf(['rolling', 'calendar']),
        },
      ),
    ),
    description: 'The most assignments in a span; null: any number',
  },
};

const OWNED = closedObject({}, Object.fromEntries(OBJECT_TYPES.map((type) => [type, integer(1)])));

export const USER_DOCS: KindDocs = {
  one: 'user',
  many: 'users',
  notes: {
    create:
      'An archived user with the e-mail becomes active again, under the same id: what the body leaves out is as it was.',
    update:
      'Changes the keys that the body has. Another `email` stands at once wherever the user is named. ' +
      'With the scope `availability`, a body must have the key `available` alone.',
    archive: 'Refused while the user owns active records or a router lists them, unless `orphan` is true.',
  },
  values: VALUES,
  required: ['email'],
  example: USER_EXAMPLE,
  shownExample: USER_SHOWN,
  inUse: USER_IN_USE,
  more: {
    UserInUse: errorSchema({
      records: { ...OWNED, description: 'Numbers of active records that the user owns' },
      routers: {
        ...listOf(closedObject({ id: ID, name: NAME })),
        description: 'Those that list the user in a pool, in that of a rule, or as the backup',
      },
    }),
  },
};

const orphan = described(flag, {
  schema: { type: 'boolean', default: false },
  description:
    'true archives a user who owns records or whom routers list. Records keep naming the user; routers do not',
});

/** `/users` (contract section 6). */
export const UsersController = managedController({
  kind: UsersKind,
  docs: USER_DOCS,
  dto: UserDto,
  read: ['directory:read', 'manage'],
  update: ['manage', 'availability'],
  guards: [AvailabilityGuard],
  filters: {
    q,
    team: described(optionalText, {
      description: 'Members of a team, by its id or its name',
      schema: { ...NAME },
    }),
    router_id: described(optionalText, {
      description: 'Those whom a router lists, in a pool of it or as its backup, and members of its teams',
      schema: text('An id', 100),
    }),
  },
  removal: { orphan },
});
