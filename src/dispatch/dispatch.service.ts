import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import type { AccountContext } from '../accounts/index.js';
import { ConfigurationCache, OUTDATED, type AccountConfiguration } from '../configuration/index.js';
import { Database, isId, type Transaction } from '../database/index.js';
import { conflict, invalidField, notFound } from '../errors/errors.js';
import { canonicalHost } from '../fields/index.js';
import type { RouterEntity } from '../routers/index.js';
import { CompiledRouters } from './compiled-routers.js';
import type { DispatchResult } from './dispatch-result.js';
import { DispatchRepository, type DispatchRecord, type LoadedDispatch } from './dispatch.repository.js';
import {
  AssignmentEngine,
  decodeRotationState,
  encodeRotationState,
  type Decision,
  type MatchedOwner,
} from './engine/index.js';

/** The rotation of a router that has no rules. */
const OWN_ROTATION = '';

/** Runs routers on records: loads, lets the engine decide, writes, all in one transaction under the router's lock. */
@Injectable()
export class DispatchService {
  constructor(
    private readonly database: Database,
    private readonly dispatches: DispatchRepository,
    private readonly configurations: ConfigurationCache,
    private readonly routers: CompiledRouters,
    private readonly engine: AssignmentEngine,
  ) {}

  /**
   * Runs a router on a record and logs the run, whether it assigns or not.
   * @throws 404 for an unknown or archived router and an unknown record, 400 for a record of another type than the
   *   router's, 409 for an archived record
   */
  dispatch(account: AccountContext, routerId: string, objectId: string): Promise<DispatchResult> {
    return this.configurations.use(account, async (configuration) => {
      const router = configuration.routers.get(routerId.toLowerCase());
      if (router === undefined) throw notFound('Router not found');
      if (!isId(objectId)) throw notFound('Object not found');
      return this.database.transaction((tx) => this.run(tx, account, configuration, router, objectId));
    });
  }

  private async run(
    tx: Transaction,
    account: AccountContext,
    configuration: AccountConfiguration,
    router: RouterEntity,
    objectId: string,
  ): Promise<DispatchResult | typeof OUTDATED> {
    await this.dispatches.lockRouter(tx, account, router.id);
    const loaded = await this.dispatches.load(tx, account, objectId, router.id, OWN_ROTATION);
    if (loaded?.version !== configuration.version) return OUTDATED;
    const record = dispatchable(loaded.record, router);
    const decision = await this.decide(tx, account, configuration, router, { ...loaded, record });
    return this.write(tx, account, router, record, decision, loaded.at);
  }

  private async decide(
    tx: Transaction,
    account: AccountContext,
    configuration: AccountConfiguration,
    router: RouterEntity,
    { record, rotation, at }: LoadedDispatch & { record: DispatchRecord },
  ): Promise<Decision> {
    const { id, object_type: objectType } = record;
    return this.engine.decide(this.routers.get(configuration, router), {
      record: { id, objectType, archived: false, get: (name) => valueOf(record, name) },
      users: configuration.directory.users,
      matchedOwner: await this.matchedOwner(tx, account, router, record),
      rotation: decodeRotationState(rotation),
      at,
    });
  }

  /** The owner of the contact's company, where the router asks for it. */
  private async matchedOwner(
    tx: Transaction,
    account: AccountContext,
    router: RouterEntity,
    record: DispatchRecord,
  ): Promise<MatchedOwner | null> {
    const [, domain] = /@([^@]+)$/.exec(record.fields['email'] ?? '') ?? [];
    if (router.settings?.['account_matching'] !== true || domain === undefined) return null;
    const host = canonicalHost(domain);
    const company = host === undefined ? undefined : await this.dispatches.findCompany(tx, account, host);
    return host === undefined || company === undefined
      ? null
      : { companyId: company.id, host, owner: company.owner };
  }

  private async write(
    tx: Transaction,
    account: AccountContext,
    router: RouterEntity,
    record: DispatchRecord,
    decision: Decision,
    at: Date,
  ): Promise<DispatchResult> {
    const { message, reason, trace } = decision;
    const run = { routerId: router.id, record, reason, message, trace, at };
    if (!decision.assigned) {
      await this.dispatches.logRun(tx, account, { ...run, user: null, previousUser: null });
      return { message, success: false, reason };
    }
    const { user, fieldName, rotation } = decision;
    const previousUser = record.fields[fieldName] ?? null;
    const state = rotation === null ? null : encodeRotationState(rotation);
    const entry = { ...run, user, previousUser };
    const assignmentId = await this.dispatches.assign(tx, account, entry, fieldName, OWN_ROTATION, state);
    return {
      message,
      success: true,
      user,
      field_name: fieldName,
      owner_assigned_at: DateTime.fromJSDate(at, { zone: 'utc' }).toRFC2822() ?? '',
      assignment_id: assignmentId,
      reason,
    };
  }
}

function dispatchable(record: DispatchRecord | undefined, router: RouterEntity): DispatchRecord {
  if (record === undefined) throw notFound('Object not found');
  if (record.object_type !== router.objectType) {
    throw invalidField(
      'object_id',
      `This router is for ${router.objectType}; the object is one of ${record.object_type}`,
    );
  }
  if (record.archived_at !== null) throw conflict('The object is archived and cannot be assigned');
  return record;
}

/** A value as triggers see it: stored values, and the dates the service manages. */
function valueOf(record: DispatchRecord, name: string): string | undefined {
  if (name === 'create_date') return record.created_at.toISOString();
  if (name === 'last_modified_date') return record.updated_at.toISOString();
  return Object.hasOwn(record.fields, name) ? record.fields[name] : undefined;
}
