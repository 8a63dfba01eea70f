import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { ConfigurationCache, OUTDATED } from '../../configuration/index.js';
import { Database, isId } from '../../database/index.js';
import { invalid, invalidField, notFound } from '../../errors/errors.js';
import { FieldTypeRegistry, parseInstant } from '../../fields/index.js';
import { CircumstancesLoader } from '../decision/circumstances.loader.js';
import { DispatchDecider, type Decisions } from '../decision/dispatch-decider.js';
import { requireDispatchable } from '../decision/stored-record.js';
import {
  assignedAt,
  assignedResult,
  notAssignedResult,
  type DispatchResult,
} from '../transaction/dispatch-result.js';
import { DispatchRepository } from '../transaction/dispatch.repository.js';
import type { SimulateDto } from '../dto/simulate.dto.js';
import { imaginedRecord } from './imagined-record.js';
import type { Trace } from '../../engine/index.js';

/** The answer of a dispatch that did not take place: no assignment, but what was weighed. */
export type SimulationResult = Omit<DispatchResult, 'assignment_id'> & { readonly trace: Trace };

/** The nil UUID: the record of a simulation does not exist. */
const NO_OBJECT = '00000000-0000-0000-0000-000000000000';

/** Says what a dispatch would answer; writes nothing and moves no rotation (contract section 6). */
@Injectable()
export class SimulationService {
  constructor(
    private readonly database: Database,
    private readonly dispatches: DispatchRepository,
    private readonly configurations: ConfigurationCache,
    private readonly decider: DispatchDecider,
    private readonly circumstances: CircumstancesLoader,
    private readonly types: FieldTypeRegistry,
  ) {}

  /** @throws as a dispatch does, and 400 for failing fields or an unusable `at` */
  simulate(account: AccountContext, request: SimulateDto): Promise<SimulationResult> {
    if ((request.object_id === undefined) === (request.fields === undefined)) {
      throw invalid([{ message: 'Send either object_id or fields' }]);
    }
    return this.configurations.use(account, async (configuration) => {
      const router = configuration.routers.get(request.router_id.toLowerCase());
      if (router === undefined) throw notFound('Router not found');
      const objectId = request.object_id ?? NO_OBJECT;
      if (!isId(objectId)) throw notFound('Object not found');
      const loaded = await this.dispatches.peek(this.database, account, router.id, [objectId]);
      if (loaded?.version !== configuration.version) return OUTDATED;
      const at = request.at === undefined ? loaded.at : instant(request.at);
      const imagined = request.fields !== undefined;
      const record = imagined
        ? imaginedRecord(configuration, this.types, router.objectType, request.fields, at)
        : requireDispatchable(loaded.records.get(objectId.toLowerCase()), router.objectType);
      const prepared = await this.decider.prepare(this.database, account, configuration, router, [record]);
      const circumstances = await this.circumstances[imagined ? 'imagine' : 'load'](
        this.database,
        account,
        configuration,
        router,
        loaded,
        prepared,
        { at, until: at },
      );
      return answer(this.decider.decide(configuration, router, prepared, circumstances), at);
    });
  }
}

function instant(text: string): Date {
  const time = parseInstant(text);
  if (time === undefined) throw invalidField('at', 'at must be an ISO 8601 date and time');
  return new Date(time);
}

function answer({ decided: [first] }: Decisions, at: Date): SimulationResult {
  if (first === undefined) throw new Error('A simulation decided nothing');
  const { decision } = first;
  if (!decision.assigned) return { ...notAssignedResult(decision), trace: decision.trace };
  const { assignment_id: _, ...result } = assignedResult(decision, assignedAt(at), '');
  return { ...result, trace: decision.trace };
}
