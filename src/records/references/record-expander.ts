import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { ClientContext } from '../../auth/index.js';
import { ConfigurationCache, type AccountConfiguration } from '../../configuration/index.js';
import { Database } from '../../database/index.js';
import { Failures } from '../../errors/errors.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';
import { cursorBehind, jsonPage, type Page } from '../../paging/index.js';
import { resolveExtras, type RecordSelection } from '../record-validator.js';
import { foundViews } from '../record-pages.js';
import { shownViews, versionOf, withVersion, type RecordView } from '../record-view.js';
import type { RecordKey } from '../records.repository.js';
import {
  expandedViews,
  keyOf,
  resolveExpand,
  targetsOf,
  type ExpandedFields,
  type ExpandedView,
  type ReadTargets,
} from './expanded-view.js';

/** What a request wants to see. */
export interface ExpandRequest {
  readonly objectType: ObjectType;
  /** Names of references. */
  readonly expand: readonly string[];
  readonly selection: RecordSelection;
}

/**
 * Puts records in place of the ids of them (`expand`, contract section 7), with one statement for each of
 * their types.
 */
@Injectable()
export class RecordExpander {
  constructor(
    private readonly database: Database,
    private readonly configurations: ConfigurationCache,
  ) {}

  /**
   * Expands a record. Without names, it is read as it is.
   * @param read reads the record, with the properties of the selection
   * @throws DomainError 400 for failing names, with all else that is wrong; what `read` throws
   */
  async item(
    client: ClientContext,
    request: ExpandRequest,
    read: (selection: RecordSelection) => Promise<RecordView>,
  ): Promise<ExpandedView> {
    if (request.expand.length === 0) return read(request.selection);
    const { fields, selection } = await this.prepare(client, request);
    const view = await read(selection);
    const { views } = await this.expand(client, [view], fields);
    return withVersion(views[0] ?? view, versionOf(view));
  }

  /**
   * Expands a page. It ends early where it would exceed 10 MiB, but has one record at least.
   * @param read reads the page, with the properties of the selection
   * @throws as `item`
   */
  async page(
    client: ClientContext,
    request: ExpandRequest,
    read: (selection: RecordSelection) => Promise<Page<RecordView>>,
  ): Promise<Page<ExpandedView>> {
    if (request.expand.length === 0) return read(request.selection);
    const { fields, selection } = await this.prepare(client, request);
    const { data, pagination } = await read(selection);
    const { views, texts } = await this.expand(client, data, fields);
    const last = views.at(-1)?.['id'];
    const isCut = views.length < data.length && typeof last === 'string';
    return jsonPage(texts, isCut ? { ...pagination, next: cursorBehind(last) } : pagination);
  }

  /**
   * Expands records that were read with the fields as properties.
   * @param views as JSON
   * @returns as many as have 10 MiB together as JSON, but one at least
   */
  async texts(
    account: AccountContext,
    views: readonly string[],
    fields: ExpandedFields,
  ): Promise<readonly string[]> {
    if (fields.size === 0) return views;
    const read = views.map((view) => JSON.parse(view) as RecordView);
    return (await this.expand(account, read, fields)).texts;
  }

  /** Expands records that were read with the fields as properties: as many as have PAGE_BYTES together. */
  async expand(
    account: AccountContext,
    views: readonly RecordView[],
    fields: ExpandedFields,
  ): Promise<ReturnType<typeof expandedViews>> {
    const keys = targetsOf(views, fields);
    const types = [...new Set(keys.map(({ objectType }) => objectType))];
    const read = types.map((objectType) => this.read(account, objectType, keys));
    return expandedViews(
      views,
      fields,
      new Map((await Promise.all(read)).flatMap((targets) => [...targets])),
    );
  }

  /**
   * Reads those of a type with their default fields, active or archived: as many as have PAGE_BYTES together.
   */
  private async read(
    account: AccountContext,
    objectType: ObjectType,
    keys: readonly RecordKey[],
  ): Promise<ReadTargets> {
    const shown = shownViews(objectType, [], [OBJECT_TYPE_RULES[objectType].ownerField]);
    const ids = keys.filter((key) => key.objectType === objectType).map(({ id }) => id);
    const { found, isCut } = await foundViews(this.database.for(account), account, { ...shown, ids });
    const views = new Map(found.map(({ id, view }) => [id, JSON.parse(view) as RecordView]));
    const end = isCut ? ids.indexOf(found.at(-1)?.id ?? '') + 1 : ids.length;
    return new Map(ids.slice(0, end).map((id) => [keyOf({ objectType, id }), views.get(id) ?? null]));
  }

  /**
   * Returns the references to expand, and the properties to read for that.
   * @throws as `item`
   */
  prepare(
    client: ClientContext,
    request: ExpandRequest,
  ): Promise<{ readonly fields: ExpandedFields; readonly selection: RecordSelection }> {
    return this.configurations.use(client, (configuration) => {
      const fields = expandedFields(configuration, request);
      const { properties = [], failures } = request.selection;
      return Promise.resolve({
        fields,
        selection: { properties: [...properties, ...fields.keys()], failures },
      });
    });
  }
}

/** @throws DomainError 400 for names of no references, with what is wrong with the selection */
function expandedFields(
  configuration: AccountConfiguration,
  { objectType, expand, selection }: ExpandRequest,
): ExpandedFields {
  const found = new Failures();
  const fields = resolveExpand(configuration, { objectType, expand }, found);
  if (found.any) {
    const failures = new Failures();
    resolveExtras(configuration, objectType, { selection, failures });
    failures.take(found).throwIfAny();
  }
  return fields;
}
