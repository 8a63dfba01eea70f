import { ARCHIVED, closedObject, ID, pageOf, TIME, type Schemas } from '../../http/index.js';

/** What the schemas of one kind of object are made of. */
interface Managed {
  /** Those of its form. */
  readonly values: Schemas;
  /** The keys without which none is created. */
  readonly required: readonly string[];
  /** What views have otherwise than `values`, or beside it. */
  readonly shown?: Schemas;
  /** What only some views have beside it. */
  readonly sometimes?: Schemas;
  /** What bodies have otherwise than `values`. */
  readonly sent?: Schemas;
  /** What an answer shows of one, without what every view has. */
  readonly example: object;
}

/** Returns the schemas of one kind of object: of itself, of its list, and of the bodies that write it. */
export function managedSchemas(
  name: string,
  { values, required, shown, sometimes, sent, example }: Managed,
): Schemas {
  const body = closedObject({}, { ...values, ...sent });
  const view = viewExample(example);
  return {
    [name]: { ...closedObject(viewed({ ...values, ...shown }), sometimes), examples: [view] },
    [`${name}List`]: pageOf(name, view),
    [`New${name}`]: { ...body, required: [...required] },
    [`${name}Changes`]: { ...body, required: [] },
  };
}

/** Returns the schemas of the keys of a view. */
export function viewed(values: Schemas): Schemas {
  const { archived = ARCHIVED } = values;
  return { id: ID, ...values, created_at: TIME, updated_at: TIME, archived };
}

/** Returns an example of a view. @param shown what it has beside what every view has */
export function viewExample(shown: object): object {
  return {
    id: '019a8f2c-91d4-7f3a-8c55-0a1b2c3d4e5f',
    ...shown,
    created_at: '2026-06-10T21:05:06.789Z',
    updated_at: '2026-06-10T21:05:06.789Z',
    archived: false,
  };
}
