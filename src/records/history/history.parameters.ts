import { NO_CURSOR } from '../../paging/index.js';
import { described, optionalText, ParameterError, text } from '../../http/index.js';
import { changeOfCursor, type ChangePlace } from './change-cursor.js';
import { CHANGE_CURSOR } from './history.schemas.js';

/** `after` of a history: the `next` of another page. Undefined where it is absent. */
export const afterChange = described<ChangePlace | undefined>(
  (raw, name, query) => {
    const cursor = optionalText(raw, name, query);
    if (cursor === undefined) return undefined;
    const place = changeOfCursor(cursor);
    if (place === undefined) throw new ParameterError(`${name} ${NO_CURSOR}`);
    return place;
  },
  {
    schema: CHANGE_CURSOR,
    description:
      'The `next` of the page before. A page ends early, with fewer changes than `limit`, where its answer ' +
      'would exceed 10 MiB.',
  },
);

/** `field` of a history. Undefined where it is absent. */
export const changedField = described(optionalText, {
  description: 'Changes of this field: one of the type, the assigned date of a user field, or `archived`',
  schema: text('Internal name', 200),
});
