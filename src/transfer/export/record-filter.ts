import type { AccountConfiguration } from '../../configuration/index.js';
import {
  compileTrigger,
  fieldsOf,
  matches,
  RecordValues,
  type FieldIssue,
  type TriggerOperator,
} from '../../engine/index.js';
import type { FieldError } from '../../errors/domain-error.js';
import { invalid } from '../../errors/errors.js';
import type { FieldTypeRegistry, ObjectType } from '../../fields/index.js';
import { parseFilter, type RecordView } from '../../records/index.js';
import { fieldLookup } from '../../routers/index.js';

/** Which records are exported. */
export interface RecordFilter {
  /** The fields that it reads. */
  readonly fields: readonly string[];
  readonly test: (view: RecordView) => boolean;
}

/** What filters are made of. */
export interface FilterParts {
  readonly types: FieldTypeRegistry;
  readonly operators: readonly TriggerOperator[];
}

/**
 * Returns a filter, which is a trigger (contract section 4).
 * @throws DomainError 400 that lists all that is wrong with it
 */
export function recordFilter(
  { catalog, directory }: AccountConfiguration,
  { objectType, trigger }: { readonly objectType: ObjectType; readonly trigger: unknown },
  { types, operators }: FilterParts,
): RecordFilter {
  const fields = fieldLookup(catalog, types, directory);
  const parsed = parseFilter({ value: trigger, path: 'filter' }, objectType, { fields, operators });
  if (!parsed.ok) throw invalid(parsed.errors.map(located));
  const compiled = compileTrigger(parsed.trigger, objectType, {
    fields,
    operators: new Map(operators.map((operator) => [operator.id, operator])),
  });
  return {
    fields: [...fieldsOf([compiled])],
    test: (view) => {
      const get = (name: string): string | undefined => view[name] || undefined;
      return matches(compiled, new RecordValues({ id: String(view['id']), objectType, get }));
    },
  };
}

function located({ field, message }: FieldIssue): FieldError {
  return { field, message: message.startsWith(field) ? message : `${field}: ${message}` };
}
