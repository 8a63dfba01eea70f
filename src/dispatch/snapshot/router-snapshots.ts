import { Injectable } from '@nestjs/common';
import type { AccountConfiguration } from '../../configuration/index.js';
import { FieldTypeRegistry } from '../../fields/index.js';
import { compilableRouter, fieldLookup, type RouterEntity } from '../../routers/index.js';
import { AssignmentEngine, type Capacity, type CompiledRouter } from '../../engine/index.js';
import { resolveCapacities } from './resolve-capacities.js';

/** What is made of one version of an account's configuration. */
interface Compiled {
  readonly routers: Map<string, CompiledRouter>;
  readonly capacities: readonly Capacity[];
}

/** Routers and capacities ready for decisions, made once for each version of an account's configuration. */
@Injectable()
export class RouterSnapshots {
  private readonly compiled = new WeakMap<AccountConfiguration, Compiled>();

  constructor(
    private readonly engine: AssignmentEngine,
    private readonly types: FieldTypeRegistry,
  ) {}

  get(configuration: AccountConfiguration, router: RouterEntity): CompiledRouter {
    const { routers } = this.of(configuration);
    let compiled = routers.get(router.id);
    if (compiled === undefined) {
      const { catalog, directory } = configuration;
      compiled = this.engine.compile(
        compilableRouter(router, directory),
        fieldLookup(catalog, this.types, directory),
      );
      routers.set(router.id, compiled);
    }
    return compiled;
  }

  capacities(configuration: AccountConfiguration): readonly Capacity[] {
    return this.of(configuration).capacities;
  }

  private of(configuration: AccountConfiguration): Compiled {
    let compiled = this.compiled.get(configuration);
    if (compiled === undefined) {
      compiled = { routers: new Map(), capacities: resolveCapacities(configuration) };
      this.compiled.set(configuration, compiled);
    }
    return compiled;
  }
}
