import { Inject, Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { AccountConfiguration } from '../../configuration/index.js';
import {
  compileRouter,
  fieldsRead,
  type Capacity,
  type CompiledRouter,
  type DistributionModel,
  type EligibilityCheck,
  type RouterConfiguration,
  type RoutingRule,
  type RoutingStep,
  type TriggerOperator,
} from '../../engine/index.js';
import { conflict, notFound } from '../../errors/errors.js';
import {
  FieldTypeRegistry,
  OBJECT_TYPE_RULES,
  type FieldCatalog,
  type ObjectType,
} from '../../fields/index.js';
import {
  compilableRouter,
  DISTRIBUTION_MODELS,
  ELIGIBILITY_CHECKS,
  fieldLookup,
  ownerFieldOf,
  partsOf,
  TRIGGER_OPERATORS,
  type RouterEntity,
} from '../../routers/index.js';
import type { ReturnMinutes } from '../../assignments/index.js';
import type { Directory } from '../../directory/index.js';
import type { CountedRecords } from '../../records/index.js';

/** A compiled router with the configuration that it depends on, as of one version. Immutable. */
export interface RouterSnapshot {
  readonly account: AccountContext;
  /** The version of the account's configuration. */
  readonly version: string;
  readonly id: string;
  readonly name: string;
  /** The number of the version that decides; null for none. */
  readonly routerVersion: number | null;
  readonly objectType: ObjectType;
  readonly compiled: CompiledRouter;
  /** The user field that an assignment sets; without settings that of the object type. */
  readonly ownerField: string;
  /** Whether a contact goes to the owner of the company that has the host of the contact's e-mail. */
  readonly matchesAccounts: boolean;
  /** All capacities of the account. */
  readonly capacities: readonly Capacity[];
  /** What decisions of the account's routers count of the records that users own. */
  readonly counted: readonly CountedRecords[];
  /** The routers that set the same field of the same object type and return turns, with their minutes. */
  readonly returning: ReturnMinutes;
  /** Names of the long fields that no decision reads. An assignment hook may read them. */
  readonly unread: readonly string[];
  readonly directory: Directory;
  readonly catalog: FieldCatalog;
}

/** What is compiled from one version of an account's configuration. */
interface Prepared extends Pick<RouterSnapshot, 'capacities' | 'counted'> {
  readonly snapshots: Map<string, RouterSnapshot>;
  readonly returning: ReadonlyMap<ObjectType, ReturningRouters>;
}

/** A compiled router, and what it was compiled with. */
interface Compiled extends Pick<RouterSnapshot, 'catalog'> {
  readonly router: CompiledRouter;
  readonly people: object;
}

const NO_ROUTERS: ReturningRouters = new Map();

/** Makes router snapshots, once for each version of an account's configuration. */
@Injectable()
export class RouterSnapshots {
  private readonly prepared = new WeakMap<AccountConfiguration, Prepared>();
  /** Serves as long as neither the router nor what it names changes, through many versions. */
  private readonly compiled = new WeakMap<RouterEntity, Compiled>();

  constructor(
    @Inject(TRIGGER_OPERATORS) private readonly operators: readonly TriggerOperator[],
    @Inject(DISTRIBUTION_MODELS) private readonly models: readonly DistributionModel[],
    @Inject(ELIGIBILITY_CHECKS) private readonly checks: readonly EligibilityCheck[],
    private readonly types: FieldTypeRegistry,
  ) {}

  /**
   * @throws DomainError 404 for a router that is unknown or archived, 409 for a published one that needs an
   *   extension which is not there
   */
  get(account: AccountContext, configuration: AccountConfiguration, routerId: string): RouterSnapshot {
    const { snapshots, capacities, counted } = this.of(configuration);
    const known = snapshots.get(routerId);
    if (known !== undefined) return known;
    const router = configuration.routers.get(routerId);
    if (router === undefined) throw notFound('Router not found');
    const { version, catalog, directory } = configuration;
    const { id, name, objectType } = router;
    const compiled = this.compile(configuration, router);
    const settings = compiled.plan?.settings;
    const ownerField = settings?.ownerField ?? OBJECT_TYPE_RULES[objectType].ownerField;
    const read = fieldsRead(compiled, this.models, this.checks);
    const isRead = (field: string): boolean =>
      read === undefined || read.has(field) || capacities.some((capacity) => capacity.field === field);
    const snapshot: RouterSnapshot = {
      account: { accountId: account.accountId },
      version,
      id,
      name,
      routerVersion: router.published ? router.version : null,
      objectType,
      compiled,
      ownerField,
      matchesAccounts: settings?.accountMatching ?? false,
      capacities,
      counted,
      returning: this.returning(configuration, objectType).get(ownerField) ?? new Map(),
      unread: catalog.longFields(objectType).filter((field) => !isRead(field)),
      directory,
      catalog,
    };
    snapshots.set(routerId, snapshot);
    return snapshot;
  }

  /** Returns the routers of an object type that return turns, by owner field. */
  returning(configuration: AccountConfiguration, objectType: ObjectType): ReturningRouters {
    return this.of(configuration).returning.get(objectType) ?? NO_ROUTERS;
  }

  /** @throws DomainError 409 for a published router that needs an extension which is not there */
  compile(
    { catalog, directory }: Pick<AccountConfiguration, 'catalog' | 'directory'>,
    router: RouterEntity,
  ): CompiledRouter {
    const { people } = directory;
    const known = this.compiled.get(router);
    if (known?.catalog === catalog && known.people === people) return known.router;
    const configuration = compilableRouter(router, directory);
    const { operators, models, types } = this;
    const missing = missingParts(configuration, { operators, models, types, catalog });
    if (missing.length > 0 && router.published) {
      const parts = missing.join(' and ');
      throw conflict(`The router "${router.name}" cannot run: no extension of this server provides ${parts}`);
    }
    // An unpublished one is refused before its settings are looked at.
    const runnable = missing.length > 0 ? { ...configuration, settings: null } : configuration;
    const fields = fieldLookup(catalog, types, directory);
    const compiled = compileRouter(runnable, { operators, models, fields });
    this.compiled.set(router, { router: compiled, catalog, people });
    return compiled;
  }

  private of(configuration: AccountConfiguration): Prepared {
    let prepared = this.prepared.get(configuration);
    if (prepared === undefined) {
      prepared = {
        snapshots: new Map(),
        capacities: resolveCapacities(configuration),
        counted: countedRecords(configuration),
        returning: returningRouters(configuration),
      };
      this.prepared.set(configuration, prepared);
    }
    return prepared;
  }
}

/** What may be named. */
interface Provided {
  readonly operators: readonly TriggerOperator[];
  readonly models: readonly DistributionModel[];
  readonly types: FieldTypeRegistry;
  readonly catalog: FieldCatalog;
}

/** What a router names and no extension provides, in words: `the distribution model "priority"`. */
function missingParts(
  { settings, objectType }: Pick<RouterConfiguration, 'settings' | 'objectType'>,
  { models, operators, types, catalog }: Provided,
): readonly string[] {
  if (settings === null) return [];
  const { distributionModel, trigger, rules } = settings;
  const parts = partsOf<RoutingRule | RoutingStep>(settings);
  const named = [distributionModel, ...parts.map(({ part }) => part.distributionModel ?? distributionModel)];
  const conditions = [trigger, ...rules.map((rule) => rule.trigger)].flatMap(({ groups }) =>
    groups.flatMap((group) => group.conditions),
  );
  const used = conditions.map(({ field }) => catalog.get(objectType, field)?.type);
  return [
    ...beyond(named, models.map(idOf)).map((id) => `the distribution model "${id}"`),
    ...beyond(
      conditions.map(({ operator }) => operator),
      operators.map(idOf),
    ).map((id) => `the trigger operator "${id}"`),
    ...beyond(used, [undefined, ...types.ids()]).map((id) => `the field type "${id}"`),
  ];
}

const idOf = ({ id }: { readonly id: string }): string => id;

function beyond<T>(named: readonly T[], known: readonly T[]): T[] {
  return [...new Set(named)].filter((id) => !known.includes(id));
}

/** Returns the capacities of an account as the engine needs them, users and teams resolved to e-mails. */
export function resolveCapacities({
  capacities,
  directory,
  catalog,
}: AccountConfiguration): readonly Capacity[] {
  return capacities.map(({ name, objectType, field, values, users, teams }) => ({
    name,
    objectType,
    field,
    values:
      catalog.get(objectType, field)?.type === 'user'
        ? values.map((stored) => directory.names.emailOf(stored))
        : values,
    maxByEmail: maxByEmail({ users, teams }, directory),
  }));
}

/** The maximum of each user: the user's own entry, else the lowest of the user's teams. */
function maxByEmail(
  { users, teams }: Pick<AccountConfiguration['capacities'][number], 'users' | 'teams'>,
  directory: Directory,
): ReadonlyMap<string, number> {
  const most = new Map<string, number>();
  for (const { teamId, max } of teams) {
    for (const id of directory.team(teamId)?.memberIds ?? []) {
      const email = directory.user(id)?.email;
      if (email !== undefined) most.set(email, Math.min(max, most.get(email) ?? max));
    }
  }
  for (const { userId, max } of users) {
    const email = directory.user(userId)?.email;
    if (email !== undefined) most.set(email, max);
  }
  return most;
}

/**
 * What decisions count of the records that users own: all by the owner field of a router, and what
 * capacities count of these. Routers are not compiled: one that cannot be must not stop the others.
 */
export function countedRecords({ routers, capacities }: AccountConfiguration): readonly CountedRecords[] {
  const counted = new Map<string, readonly CountedRecords[]>();
  for (const { objectType, settings } of routers.values()) {
    const ownerField = ownerFieldOf(objectType, settings);
    const key = `${objectType} ${ownerField}`;
    if (counted.has(key)) continue;
    const ofType = capacities.filter((capacity) => capacity.objectType === objectType);
    const inCapacities = ofType.map(({ field, values }) => ({
      objectType,
      ownerField,
      having: { field, values },
    }));
    counted.set(key, [{ objectType, ownerField }, ...inCapacities]);
  }
  return [...counted.values()].flat();
}

/** By owner field: the routers that set it and return turns, with their minutes. */
export type ReturningRouters = ReadonlyMap<string, ReturnMinutes>;

/**
 * Returns the routers of an account that return turns (setting `reimburse_within_minutes`), by object type.
 * Routers are not compiled for this: one that cannot be must not stop updates.
 */
export function returningRouters({
  routers,
}: AccountConfiguration): ReadonlyMap<ObjectType, ReturningRouters> {
  const found = new Map<ObjectType, Map<string, Map<string, number>>>();
  for (const { id, objectType, settings } of routers.values()) {
    const minutes = settings?.['reimburse_within_minutes'] ?? 0;
    if (typeof minutes !== 'number' || minutes <= 0) continue;
    const ownerField = ownerFieldOf(objectType, settings);
    const ofType = found.get(objectType) ?? new Map<string, Map<string, number>>();
    ofType.set(ownerField, (ofType.get(ownerField) ?? new Map<string, number>()).set(id, minutes));
    found.set(objectType, ofType);
  }
  return found;
}
