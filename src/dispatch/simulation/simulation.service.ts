import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { ConfigurationCache, OUTDATED } from '../../configuration/index.js';
import { isId } from '../../database/index.js';
import type { Trace } from '../../engine/index.js';
import { Failures, invalid, invalidField, notFound } from '../../errors/errors.js';
import { FieldTypeRegistry } from '../../fields/index.js';
import { ReferenceResolver } from '../../records/index.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import { parseInstant } from '../../time/parse-instant.js';
import type { SimulateDto } from '../dto/simulate.dto.js';
import {
  assignedAt,
  dispatchResult,
  type AssignedResult,
  type NotAssignedResult,
} from '../transaction/dispatch-result.js';
import { validateImagined } from './imagined-record.js';
import { Rehearsals, type ImaginedRecords, type Rehearsal } from './rehearsals.js';
import { VersionSnapshots } from './version-snapshots.js';

/** The answer that a dispatch would have, with the trace and without an assignment id. */
export type SimulationResult = (
  Omit<AssignedResult, 'assignment_id'> | Omit<NotAssignedResult, 'assignment_id'>
) & { readonly trace: Trace };

/** Says what a dispatch would answer. Writes nothing and moves no rotation (contract section 6). */
@Injectable()
export class SimulationService {
  constructor(
    private readonly configurations: ConfigurationCache,
    private readonly snapshots: VersionSnapshots,
    private readonly rehearsals: Rehearsals,
    private readonly types: FieldTypeRegistry,
    private readonly references: ReferenceResolver,
  ) {}

  /**
   * Runs a simulation.
   * @param found what is wrong with the request already; it is refused, with all else that is wrong
   * @throws DomainError as a dispatch does, 400 for failing fields or an unusable `at`, and what
   *   VersionSnapshots throws for a version
   */
  simulate(account: AccountContext, request: SimulateDto, found = new Failures()): Promise<SimulationResult> {
    const failures = new Failures().take(found);
    if (!hasSubject(request)) failures.add(() => ({ message: 'Send either object_id or fields' }));
    if (failures.any) return this.refuse(account, request, failures);
    return this.configurations.use(account, async (configuration) => {
      const asked = { routerId: request.router_id.toLowerCase(), version: request.version };
      const snapshot = await this.snapshots.get(account, configuration, asked);
      const rehearsed = await this.rehearsals.run(account, configuration, {
        snapshot,
        subject: subjectOf(request),
        at: request.at === undefined ? undefined : instant(request.at),
      });
      return rehearsed === OUTDATED ? OUTDATED : answer(rehearsed);
    });
  }

  /** Adds what is wrong with the fields, where the router is known, and throws. */
  private refuse(account: AccountContext, request: SimulateDto, found: Failures): Promise<never> {
    return this.configurations.use<never>(account, async (configuration) => {
      const failures = new Failures().take(found);
      const { router_id, fields } = (request as Partial<SimulateDto> | undefined) ?? {};
      // It may be anything, also what cannot be made a text.
      const id: unknown = router_id;
      const known = typeof id === 'string' ? configuration.routers.get(id.toLowerCase()) : undefined;
      if (known !== undefined && isPlainObject(fields)) {
        const { objectType } = known;
        const sent = { objectType, fields: [fields] };
        const findRecord = await this.references.resolve(account, configuration, sent);
        const reading = { types: this.types, findRecord };
        const checked = validateImagined({ objectType, ...configuration }, fields, reading);
        if (!checked.ok) failures.addFields(checked.errors);
      }
      throw failures.toError() ?? invalid([]);
    });
  }
}

function subjectOf({ object_id, fields }: SimulateDto): string | ImaginedRecords {
  if (object_id === undefined) return { fields: [fields], make: (imagine) => [imagine(fields)] };
  if (!isId(object_id)) throw notFound('Object not found');
  return object_id.toLowerCase();
}

/** Whether a request names a record or has the fields of one, but not both. */
function hasSubject(request: SimulateDto | undefined): boolean {
  // Of a body that could not be read, that is wrong.
  return request === undefined || (request.object_id === undefined) !== (request.fields === undefined);
}

function instant(text: string): Date {
  const time = parseInstant(text);
  if (time === undefined) throw invalidField('at', 'at must be an ISO 8601 date and time');
  return new Date(time);
}

function answer({ at, decided: [first] }: Rehearsal): SimulationResult {
  if (first === undefined) throw new Error('A simulation decided nothing');
  const { assignment_id: _, ...result } = dispatchResult({ ...first, assignmentId: '' }, assignedAt(at));
  return { ...result, trace: first.decision.trace };
}
