import type { AccountConfiguration } from '../../configuration/index.js';
import { BUILTIN_MODELS, parseSettings, type TriggerOperator } from '../../engine/index.js';
import { compileTrigger } from '../../engine/trigger/compile-trigger.js';
import { matches } from '../../engine/trigger/evaluate-trigger.js';
import { RecordValues } from '../../engine/trigger/record-values.js';
import type { FieldError } from '../../errors/domain-error.js';
import { invalid } from '../../errors/errors.js';
import type { FieldTypeRegistry, ObjectType } from '../../fields/index.js';
import type { RecordView } from '../../records/index.js';
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

const PATH = /^settings\.trigger/;

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
  const parsed = parseSettings({ trigger }, objectType, { fields, operators, models: BUILTIN_MODELS });
  if (!parsed.ok)
    throw invalid(parsed.errors.map(({ field, message }) => located(renamed(field), renamed(message))));
  const compiled = compileTrigger(parsed.settings.trigger, objectType, {
    fields,
    operators: new Map(operators.map((operator) => [operator.id, operator])),
  });
  return {
    fields: compiled.slots.all.map(({ name }) => name),
    test: (view) => {
      const get = (name: string): string | undefined => view[name] || undefined;
      return matches(compiled, new RecordValues({ id: String(view['id']), objectType, get }, compiled.slots));
    },
  };
}

function renamed(text: string): string {
  return text.replace(PATH, 'filter');
}

function located(field: string, message: string): FieldError {
  return { field, message: message.startsWith(field) ? message : `${field}: ${message}` };
}
