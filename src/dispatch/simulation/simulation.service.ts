import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { ConfigurationCache, OUTDATED, type AccountConfiguration } from '../../configuration/index.js';
import { isId } from '../../database/index.js';
import type { Trace } from '../../engine/index.js';
import { Failures, invalid, invalidField, notFound } from '../../errors/errors.js';
import { RecordsService } from '../../records/index.js';
import { RouterChangesDto } from '../../routers/index.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import { parseInstant } from '../../time/parse-instant.js';
import { validateDto } from '../../validation/validate-dto.js';
import type { SimulateDto } from '../dto/dispatch.dto.js';
import {
  assignedAt,
  dispatchResult,
  type AssignedResult,
  type NotAssignedResult,
} from '../transaction/dispatch-result.js';
import { Rehearsals, type ImaginedRecords, type Rehearsal } from './rehearsals.js';
import type { RouterSnapshot } from '../snapshot/router-snapshots.js';
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
    private readonly records: RecordsService,
  ) {}

  /**
   * @param request undefined for what could not be read @param found what is wrong with the request already
   * @throws DomainError as a dispatch does, 400 for failing fields or a bad `at`, and for a version
   */
  simulate(
    account: AccountContext,
    request: SimulateDto | undefined,
    found = new Failures(),
  ): Promise<SimulationResult> {
    return this.configurations.use(account, async (configuration) => {
      const failures = new Failures().take(found);
      if (!hasSubject(request)) failures.add(() => ({ message: 'Send either object_id or fields' }));
      const snapshot = await this.snapshot(account, configuration, { request, failures });
      if (snapshot === undefined || request === undefined)
        return this.refuse(account, configuration, { request, failures });
      const rehearsed = await this.rehearsals.run(account, configuration, {
        snapshot,
        subject: subjectOf(request),
        at: request.at === undefined ? undefined : instant(request.at),
      });
      return rehearsed === OUTDATED ? OUTDATED : answer(rehearsed);
    });
  }

  /** Returns what runs; undefined where the request is refused. */
  private async snapshot(
    account: AccountContext,
    configuration: AccountConfiguration,
    { request, failures }: Sent,
  ): Promise<RouterSnapshot | undefined> {
    const { version, router }: Partial<SimulateDto> = request ?? {};
    const routerId = routerIdOf(request);
    if (!isPlainObject(router)) {
      return failures.any ? undefined : this.snapshots.get(account, configuration, { routerId, version });
    }
    if (version !== undefined)
      failures.add(() => ({ field: 'router', message: 'Send either version or router' }));
    if (failures.any && !configuration.routers.has(routerId)) return undefined;
    const { value: body, ...checked } = validateDto(RouterChangesDto, router);
    const edit = new Failures();
    if ('errors' in checked) edit.addAll(checked.errors);
    const asked = { routerId, sent: { body, failures: edit } };
    const snapshot = await this.snapshots.edited(account, configuration, asked);
    failures.take(edit, 'router');
    return failures.any ? undefined : snapshot;
  }

  /** Adds what is wrong with the fields, where the router is known, and throws. */
  private async refuse(
    account: AccountContext,
    configuration: AccountConfiguration,
    { request, failures }: Sent,
  ): Promise<never> {
    const known = configuration.routers.get(routerIdOf(request));
    const fields: unknown = request?.fields;
    if (known !== undefined && isPlainObject(fields)) {
      const sent = { objectType: known.objectType, fields, mode: 'update' } as const;
      await this.records.validated(account, sent, { configuration, selection: { failures } });
    }
    throw failures.toError() ?? invalid([]);
  }
}

/** A request, of which anything may be wrong, and what is known to be wrong with it. */
interface Sent {
  readonly request: SimulateDto | undefined;
  readonly failures: Failures;
}

/** It may be anything, also what cannot be made a text. */
function routerIdOf(request: SimulateDto | undefined): string {
  const id: unknown = request?.router_id;
  return typeof id === 'string' ? id.toLowerCase() : '';
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
