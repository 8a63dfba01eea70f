import { OBJECT_TYPES } from '../../fields/index.js';
import {
  closedObject,
  EMAIL,
  errorSchema,
  ID,
  integer,
  listOf,
  NAME,
  orNull,
  text,
  wordOf,
  type Schema,
  type Schemas,
} from '../../http/index.js';
import { type Answer } from '../change/documented.js';
import { MOST_COUNT } from '../../validation/decorators.js';
import { managedSchemas } from '../change/managed-schemas.js';

/** An end of an absence (contract section 3). */
const END_OF_ABSENCE = text('ISO 8601: an instant, or a date alone', 100);

/** The body of a request that creates a user. */
export const USER_EXAMPLE = {
  email: 'mary@demo.test',
  name: 'Mary Jackson',
  timezone: 'America/New_York',
  working_hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '09:00', end: '17:30' }],
  limits: { day: 40 },
};

/** What an answer shows of it. */
export const USER_SHOWN = { ...USER_EXAMPLE, available: true, out_of_office: [], holidays: [] };

const ROUTER_ID = '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f';

/** The refusal to archive a user whom records or routers name. */
export const USER_IN_USE: Answer = {
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

/** Returns the schemas of users in the OpenAPI document. */
export function userSchemas(): Schemas {
  const ONE_OR_MORE = integer(1);
  const records = closedObject({}, Object.fromEntries(OBJECT_TYPES.map((type) => [type, ONE_OR_MORE])));
  return {
    ...managedSchemas('User', { values: VALUES, required: ['email'], example: USER_SHOWN }),
    UserInUse: errorSchema({
      records: { ...records, description: 'Numbers of active records that the user owns' },
      routers: {
        ...listOf(closedObject({ id: ID, name: NAME })),
        description: 'Those that list the user in a pool, in that of a rule, or as the backup',
      },
    }),
  };
}
