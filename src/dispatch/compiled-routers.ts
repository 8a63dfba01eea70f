import { Injectable } from '@nestjs/common';
import type { AccountConfiguration } from '../configuration/index.js';
import { FieldTypeRegistry } from '../fields/index.js';
import { fieldLookup, routerPool, type RouterEntity } from '../routers/index.js';
import { AssignmentEngine, restoreSettings, type CompiledRouter } from './engine/index.js';

/** Routers ready to decide, compiled once for each version of an account's configuration. */
@Injectable()
export class CompiledRouters {
  private readonly compiled = new WeakMap<AccountConfiguration, Map<string, CompiledRouter>>();

  constructor(
    private readonly engine: AssignmentEngine,
    private readonly types: FieldTypeRegistry,
  ) {}

  get(configuration: AccountConfiguration, router: RouterEntity): CompiledRouter {
    let routers = this.compiled.get(configuration);
    if (routers === undefined) {
      routers = new Map<string, CompiledRouter>();
      this.compiled.set(configuration, routers);
    }
    let compiled = routers.get(router.id);
    if (compiled === undefined) {
      compiled = this.compile(configuration, router);
      routers.set(router.id, compiled);
    }
    return compiled;
  }

  private compile({ catalog, directory }: AccountConfiguration, router: RouterEntity): CompiledRouter {
    const { id, objectType, published, settings } = router;
    return this.engine.compile(
      {
        id,
        objectType,
        published,
        settings: settings === null ? null : restoreSettings(settings, objectType),
        ...routerPool(router, directory),
      },
      fieldLookup(catalog, this.types, directory),
    );
  }
}
