import type { User } from '../../src/directory/user.js';
import type { FieldDefinition } from '../../src/fields/field-definition.js';
import { BUILT_IN_FIELD_TYPES } from '../../src/fields/types/built-in-field-types.js';
import { Book, needs, type Facts } from '../../src/engine/decision/book.js';
import { decide } from '../../src/engine/decision/decide.js';
import {
  compileRouter,
  fieldsRead,
  type CompiledRouter,
  type KnownParts,
} from '../../src/engine/decision/plan.js';
import { routeRecord } from '../../src/engine/decision/route-record.js';
import type { Decision, DecisionInput, RecordInput } from '../../src/engine/model/decision.js';
import { BUILTIN_MODELS } from '../../src/engine/models/models.js';
import {
  EMPTY_ROTATION_STATE,
  ROUTER_ROTATION_KEY,
  type RotationState,
} from '../../src/engine/model/rotation.js';
import { BUILTIN_CHECKS, type EligibilityCheck } from '../../src/engine/eligibility/checks.js';
import type { RouterConfiguration, RouterSettings } from '../../src/engine/model/router-configuration.js';
import { BUILTIN_OPERATORS } from '../../src/engine/trigger/operators.js';
import { restoreSettings } from '../../src/routers/settings/settings.js';
import type { FieldHandle, FieldLookup } from '../../src/engine/trigger/field-value.js';

/** An engine with the built-in operators, models and checks. */
export const BUILTINS = { operators: BUILTIN_OPERATORS, models: BUILTIN_MODELS, checks: BUILTIN_CHECKS };
export const engine = engineWith(BUILTINS);

/** The operators, models and checks of an engine. */
export type EngineExtensions = Pick<KnownParts, 'operators' | 'models'> & {
  readonly checks: readonly EligibilityCheck[];
};

/** An engine with the given operators, models and checks. */
export function engineWith(extensions: EngineExtensions) {
  return {
    extensions,
    compile: (config: RouterConfiguration, known: FieldLookup) =>
      compileRouter(config, { ...extensions, fields: known }),
    route: routeRecord,
    needs,
    open: (given: Facts) => new Book(extensions.checks, given),
    fieldsRead: (compiled: CompiledRouter) => fieldsRead(compiled, extensions.models, extensions.checks),
  };
}

/** Routes and decides in one call. */
export function routeAndDecide(router: CompiledRouter, input: DecisionInput, by = engine): Decision {
  return decide(by.route(router, input.record), by.extensions.checks, input);
}

/** A Wednesday noon. */
export const NOON = new Date('2026-06-10T12:00:00Z');

/** A user who is always available by default. The id is made from the name. */
export function user(name: string, values: Partial<User> = {}): User {
  return {
    id: `id-${name}`,
    email: `${name}@acme.test`,
    name: null,
    timezone: 'UTC',
    available: true,
    workingHours: null,
    outOfOffice: [],
    holidays: [],
    limits: null,
    ...values,
  };
}

/** Users by e-mail. */
export function directory(...users: User[]): ReadonlyMap<string, User> {
  return new Map(users.map((each) => [each.email, each]));
}

/** A contact with the given stored values. */
export function contact(values: Readonly<Record<string, string>> = {}): RecordInput {
  const fields = new Map(Object.entries(values));
  return { id: 'record-1', objectType: 'contacts', get: (field) => fields.get(field) };
}

/** Settings with the defaults of contract section 4, and those of later keys. */
export function settings(values: Partial<RouterSettings> = {}): RouterSettings {
  return {
    ...restoreSettings({}, 'contacts'),
    ownerField: 'contact_owner',
    overwrite: false,
    overwriteIfUnavailable: false,
    distributionModel: 'round robin',
    rotationType: 'users',
    defaultUser: null,
    defaultUserMustBeAvailable: false,
    disableDefaultAssignment: false,
    ignoreWorkingHours: false,
    accountMatching: false,
    accountMatchingUnavailableOwner: 'route',
    reimburseWithinMinutes: 0,
    trigger: { groups: [] },
    rules: [],
    steps: [],
    noRuleMatched: 'refuse',
    ...values,
  };
}

/** A published router of contacts. */
export function router(values: Partial<RouterConfiguration> = {}): RouterConfiguration {
  return {
    id: 'router-1',
    objectType: 'contacts',
    published: true,
    settings: settings(),
    users: [],
    teams: [],
    ...values,
  };
}

/**
 * The input of a decision: by default an empty contact at noon.
 * @param values `rotation`: the state of the router's own rotation
 */
export function input({
  rotation = EMPTY_ROTATION_STATE,
  ...values
}: Partial<DecisionInput> & { readonly rotation?: RotationState } = {}): DecisionInput {
  return {
    record: contact(),
    users: new Map(),
    matchedOwner: null,
    rotations: new Map([[ROUTER_ROTATION_KEY, rotation]]),
    at: NOON,
    ...values,
  };
}

/** The facts of a book: by default nothing was read, at noon. */
export function facts({
  routers = [],
  ...values
}: Partial<Omit<Facts, 'routers'>> & { readonly routers?: readonly CompiledRouter[] } = {}): Facts {
  return {
    routers: new Map(routers.map((each) => [each.id, each])),
    users: new Map(),
    capacities: [],
    workloads: new Map(),
    rotations: [],
    held: new Map(),
    at: NOON,
    ...values,
  };
}

const DEFINITIONS: readonly (readonly [name: string, type: string])[] = [
  ['first_name', 'string'],
  ['email', 'string'],
  ['website_url', 'string'],
  ['lead_score', 'number'],
  ['vip', 'bool'],
  ['signed_up', 'datetime'],
  ['create_date', 'datetime'],
  ['region', 'enumeration'],
  ['contact_owner', 'user'],
  ['second_owner', 'user'],
];

/**
 * The fields of contacts, and the owner field of companies; `ada@acme.test` is the only user that they know.
 */
export const fields: FieldLookup = (objectType, name) => {
  const [, type] =
    objectType === 'contacts'
      ? (DEFINITIONS.find(([each]) => each === name) ?? [])
      : ['company_owner', name === 'company_owner' ? 'user' : undefined];
  return type === undefined ? undefined : fieldOf(name, type);
};

function fieldOf(name: string, type: string): FieldHandle | undefined {
  const definition: FieldDefinition = {
    objectType: 'contacts',
    internalName: name,
    label: name,
    type,
    options:
      type === 'enumeration'
        ? ['emea', 'apac'].map((option) => ({ internalName: option, label: `The ${option}` }))
        : [],
    standard: true,
  };
  const environment = {
    findUser: (text: string) => (text === 'ada@acme.test' ? { email: 'ada@acme.test' } : undefined),
  };
  const fieldType = BUILT_IN_FIELD_TYPES.find((each) => each.id === type);
  return (
    fieldType && {
      definition,
      parse: (value) => fieldType.parse(value, definition, environment),
      comparisonKey: (stored) => fieldType.comparisonKey?.(stored),
    }
  );
}
