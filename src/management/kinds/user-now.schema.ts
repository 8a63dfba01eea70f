import { OBJECT_TYPES } from '../../fields/index.js';
import type { MakeSchemas } from '../managed/managed-docs.js';

/** What holds of a user now, in the OpenAPI document. */
export const nowSchema: MakeSchemas = ({ closedObject, integer, listOf, NAME, orNull, TIME, wordOf }) => {
  const count = integer(0);
  const max = integer(0);
  return {
    now: {
      description: 'With `expand=now`',
      ...closedObject({
        eligible: {
          type: 'boolean',
          description:
            'Whether the user can get a record for which no capacity and no check of an extension counts',
        },
        because: {
          ...orNull({ type: 'string', maxLength: 100, pattern: '^\\w+$' }),
          description: 'Why not, as in traces: `switched_off`, `out_of_office`, `outside_working_hours` …',
        },
        until: {
          ...orNull(TIME),
          description:
            'When `eligible` changes next by the clock alone: by hours, absences and the windows of limits; null: ' +
            'not within 31 days',
        },
        limits: listOf(
          closedObject({ period: wordOf(['hour', 'day', 'week', 'month']), used: count, max }),
          4,
        ),
        owned: {
          ...closedObject(Object.fromEntries(OBJECT_TYPES.map((type) => [type, count]))),
          description: 'Active records by the owner field of each type',
        },
        capacities: {
          ...listOf(closedObject({ name: NAME, owned: count, max })),
          description: 'Those in which the user has a maximum',
        },
      }),
    },
  };
};
