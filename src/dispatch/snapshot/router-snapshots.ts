import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { AccountConfiguration } from '../../configuration/index.js';
import { AssignmentEngine, type Capacity, type CompiledRouter } from '../../engine/index.js';
import { conflict, notFound } from '../../errors/errors.js';
import {
  FieldTypeRegistry,
  OBJECT_TYPE_RULES,
  type FieldCatalog,
  type ObjectType,
} from '../../fields/index.js';
import type { CountedRecords } from '../../records/index.js';
import { compilableRouter, fieldLookup, MissingParts, type RouterEntity } from '../../routers/index.js';
import {
  countedRecords,
  resolveCapacities,
  returningRouters,
  type ReturningRouters,
} from './account-parts.js';
import type { RouterSnapshot } from './router-snapshot.js';

/** What is compiled from one version of an account's configuration. */
interface Prepared {
  readonly snapshots: Map<string, RouterSnapshot>;
  readonly capacities: readonly Capacity[];
  readonly counted: readonly CountedRecords[];
  readonly returning: ReadonlyMap<ObjectType, ReturningRouters>;
}

/** A compiled router, and what it was compiled with. */
interface Compiled {
  readonly router: CompiledRouter;
  readonly catalog: FieldCatalog;
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
    private readonly engine: AssignmentEngine,
    private readonly types: FieldTypeRegistry,
    private readonly missing: MissingParts,
  ) {}

  /**
   * @throws DomainError 404 for a router that is unknown or archived, 409 for a published one that needs an
   *   extension which is not there
   */
  get(account: AccountContext, configuration: AccountConfiguration, routerId: string): RouterSnapshot {
    const prepared = this.of(configuration);
    const known = prepared.snapshots.get(routerId);
    if (known !== undefined) return known;
    const router = configuration.routers.get(routerId);
    if (router === undefined) throw notFound('Router not found');
    const { version, catalog, directory } = configuration;
    const { capacities, counted } = prepared;
    const { id, name, objectType } = router;
    const compiled = this.compiledRouter(configuration, router);
    const settings = compiled.plan?.settings;
    const ownerField = settings?.ownerField ?? OBJECT_TYPE_RULES[objectType].ownerField;
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
      unread: this.unread(compiled, catalog, capacities),
      directory,
      catalog,
    };
    prepared.snapshots.set(routerId, snapshot);
    return snapshot;
  }

  /** Returns the routers of an object type that return turns, by owner field. */
  returning(configuration: AccountConfiguration, objectType: ObjectType): ReturningRouters {
    return this.of(configuration).returning.get(objectType) ?? NO_ROUTERS;
  }

  private compiledRouter({ catalog, directory }: AccountConfiguration, router: RouterEntity): CompiledRouter {
    const { people } = directory;
    const known = this.compiled.get(router);
    if (known?.catalog === catalog && known.people === people) return known.router;
    const fields = fieldLookup(catalog, this.types, directory);
    const configuration = compilableRouter(router, directory);
    const missing = this.missing.of(configuration, catalog);
    if (missing.length > 0 && router.published) throw conflict(cannotRun(router, missing));
    // An unpublished one is refused before its settings are looked at.
    const runnable = missing.length > 0 ? { ...configuration, settings: null } : configuration;
    const compiled = this.engine.compile(runnable, fields);
    this.compiled.set(router, { router: compiled, catalog, people });
    return compiled;
  }

  private unread(
    compiled: CompiledRouter,
    catalog: FieldCatalog,
    capacities: readonly Capacity[],
  ): readonly string[] {
    const read = this.engine.fieldsRead(compiled);
    if (read === undefined) return [];
    const counted = new Set(capacities.map(({ field }) => field));
    return catalog.longFields(compiled.objectType).filter((name) => !read.has(name) && !counted.has(name));
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

function cannotRun({ name }: RouterEntity, missing: readonly string[]): string {
  return `The router "${name}" cannot run: no extension of this server provides ${missing.join(' and ')}`;
}
