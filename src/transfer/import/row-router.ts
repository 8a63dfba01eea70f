import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { AssignmentsRepository } from '../../assignments/index.js';
import { ConfigurationCache } from '../../configuration/index.js';
import { Database } from '../../database/index.js';
import { DispatchService } from '../../dispatch/index.js';
import { conflict, invalid, notFound } from '../../errors/errors.js';
import type { ObjectType } from '../../fields/index.js';
import { ownerFieldOf } from '../../routers/index.js';
import { didYouMean } from '../../text/nearest-name.js';
import { nameKey } from '../../text/canonical-text.js';
import { shownName } from '../../text/shown-name.js';

/** The router that an import runs. */
export interface ImportRouter {
  readonly id: string;
  /** The user field that it sets. */
  readonly ownerField: string;
}

/** What a router made of a record: whether somebody has it, or why the router did not run. */
export type Routed = { readonly assigned: boolean } | { readonly refused: string };

/** Most records that are dispatched at the same time: as many as share a transaction. */
const MOST_AT_ONCE = 64;

/** Runs a router on records of an import, once on each (ADR 28). */
@Injectable()
export class RowRouter {
  constructor(
    private readonly database: Database,
    private readonly configurations: ConfigurationCache,
    private readonly assignments: AssignmentsRepository,
    private readonly dispatches: DispatchService,
  ) {}

  /** Finds a router by name. @throws 404; 400 for another object type; 409 where it is not published */
  find(client: ClientContext, name: string, objectType: ObjectType): Promise<ImportRouter> {
    return this.configurations.use(client, ({ routers }) => {
      const all = [...routers.values()];
      const router = all.find((each) => nameKey(each.name) === nameKey(name));
      if (router === undefined) {
        const names = all.map((each) => each.name);
        throw notFound(`There is no router ${shownName(name)}${didYouMean(name, names)}`);
      }
      if (router.objectType !== objectType)
        throw invalid([{ message: `The router ${shownName(name)} is for ${router.objectType}` }]);
      if (!router.published) throw conflict(`The router ${shownName(name)} is not published`);
      return { id: router.id, ownerField: ownerFieldOf(objectType, router.settings) };
    });
  }

  /** Returns those of these records on which the router has run, as the log says. */
  hasRunOn(client: ClientContext, { id: routerId }: ImportRouter, objectIds: readonly string[]) {
    return this.assignments.runOn(this.database.for(client), client, { routerId, objectIds });
  }

  /**
   * Runs the router on those records on which it has not run, in the order given. Of imports that run at the
   * same time, one does so.
   * @returns what it made of each, by id
   * @throws Error where the database is not there; the router may have run on some
   */
  async run(client: ClientContext, { id: routerId }: ImportRouter, objectIds: readonly string[]) {
    const routed = new Map<string, Routed>();
    for (let start = 0; start < objectIds.length; start += MOST_AT_ONCE) {
      const ids = objectIds.slice(start, start + MOST_AT_ONCE);
      // What the transaction holds is the lock alone. It may run again: what is done is in the log.
      await this.database.for(client).transaction(
        async (tx) => {
          await this.assignments.lockImport(tx, client, routerId);
          const done = await this.assignments.runOn(tx, client, { routerId, objectIds: ids });
          const due = ids.filter((id) => !done.has(id));
          for (const result of await this.dispatches.dispatchBatch(client, routerId, due)) {
            if (result.status >= 500) throw new Error(result.message);
            const made = 'success' in result ? { assigned: result.success } : { refused: result.message };
            routed.set(result.object_id, made);
          }
        },
        { long: true },
      );
    }
    return routed;
  }
}
