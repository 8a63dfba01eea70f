import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { ConfigurationCache, isRefusal, OUTDATED } from '../../configuration/index.js';
import { KeyedRecordsService } from '../keyed-records.service.js';
import { RecordsService } from '../records.service.js';
import { done, refusal, type Ended } from './ended.js';
import { inTurns } from './in-turns.js';
import { NamedPlanner, type NamedWrite, type NamedWrites } from './named-planner.js';
import { StepWriter } from './step-writer.js';

/**
 * Writes many records that are there, or may be, as single requests would, one after the other, with few
 * statements (ADR 32). The context of the client must have a transaction.
 */
@Injectable()
export class NamedRecordsService {
  constructor(
    private readonly configurations: ConfigurationCache,
    private readonly planner: NamedPlanner,
    private readonly steps: StepWriter,
    private readonly records: RecordsService,
    private readonly keyed: KeyedRecordsService,
  ) {}

  /** @returns for each write, in the order given, what a single one returns or throws */
  write(client: ClientContext, named: NamedWrites): Promise<Ended[]> {
    return this.configurations.use(client, async (configuration) => {
      const { planned, names } = await this.planner.plan(client, configuration, named);
      const isRefused = planned.some((each) => each !== 'alone' && 'error' in each && isRefusal(each.error));
      if (isRefused && !(await this.configurations.isCurrent(client, configuration))) return OUTDATED;
      let known = await this.steps.lock(client, named, names);
      const together = this.steps.start({ client, configuration, named });
      return inTurns<NamedWrite>(planned, {
        onEnded: named.onEnded,
        together: (writes) => {
          const locked = known;
          known = undefined;
          return together(writes, locked);
        },
        alone: (place) => {
          known = undefined;
          return this.alone(client, named, place).catch(refusal);
        },
      });
    });
  }

  private async alone(client: ClientContext, named: NamedWrites, place: number): Promise<Ended> {
    const { objectType, property, action, writes, selection } = named;
    const { id = '', fields, whole, of } = writes[place] ?? {};
    const address = { objectType, id, property };
    switch (action) {
      case 'update':
        return done(await this.keyed.update(client, { ...address, fields }, selection));
      case 'upsert': {
        const { record, created } = await this.keyed.upsert(
          client,
          { ...address, fields, whole, of },
          selection,
        );
        return { status: created ? 201 : 200, record };
      }
      case 'archive':
        return done(await this.keyed.archive(client, address));
      case 'restore':
        return done(await this.records.restore(client, { objectType, id }));
    }
  }
}
