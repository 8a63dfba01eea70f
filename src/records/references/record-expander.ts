import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { ClientContext } from '../../auth/index.js';
import { ConfigurationCache, type AccountConfiguration } from '../../configuration/index.js';
import { Database } from '../../database/index.js';
import { Failures } from '../../errors/failures.js';
import type { ObjectType } from '../../fields/index.js';
import { cursorBehind, jsonPage, PAGE_BYTES, type Page } from '../../paging/index.js';
import { shownName } from '../../text/shown-name.js';
import { resolveExtras, type RecordSelection } from '../record-validator.js';
import { versionOf, withVersion, type RecordView } from '../record-view.js';
import { expandedViews, targetsOf, type ExpandedFields, type ExpandedView } from './expanded-view.js';
import { TargetsRepository } from './targets.repository.js';

/** The most fields of one `expand`: a row with all of them is far smaller than the largest page. */
export const MOST_EXPANDED = 10;

/** What a request wants to see. */
export interface ExpandRequest {
  readonly objectType: ObjectType;
  /** Names of references. */
  readonly expand: readonly string[];
  readonly selection: RecordSelection;
}

/** Puts records in place of the ids of them (`expand`, contract section 7), with one statement for all. */
@Injectable()
export class RecordExpander {
  constructor(
    private readonly database: Database,
    private readonly targets: TargetsRepository,
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
    const { fields, selection } = await this.resolve(client, request);
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
    const { fields, selection } = await this.resolve(client, request);
    const { data, pagination } = await read(selection);
    const { views, texts } = await this.expand(client, data, fields);
    const last = views.at(-1)?.['id'];
    const isCut = views.length < data.length && typeof last === 'string';
    return jsonPage(texts, isCut ? { ...pagination, next: cursorBehind(last) } : pagination);
  }

  /** Expands records that were read with the fields as properties: as many as have PAGE_BYTES together. */
  private async expand(
    account: AccountContext,
    views: readonly RecordView[],
    fields: ExpandedFields,
  ): Promise<ReturnType<typeof expandedViews>> {
    const keys = targetsOf(views, fields);
    const wanted = { keys, bytes: PAGE_BYTES };
    const read =
      keys.length === 0 ? [] : await this.targets.read(this.database.for(account), account, wanted);
    return expandedViews(views, fields, { keys, views: read });
  }

  private resolve(
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
  const names = [...new Set(expand)];
  const references = new Map(
    configuration.catalog.references(objectType).map(({ internalName, target }) => [internalName, target]),
  );
  const fields = new Map<string, ObjectType>();
  const problems: (() => string)[] = [];
  for (const name of names) {
    const target = references.get(name) ?? undefined;
    if (target !== undefined) fields.set(name, target);
    else
      problems.push(() => (name === '' ? 'expand has an empty name' : `Not a reference: ${shownName(name)}`));
  }
  if (names.length > MOST_EXPANDED) problems.push(() => `expand takes at most ${MOST_EXPANDED} fields`);
  if (problems.length > 0) {
    const failures = new Failures();
    resolveExtras(configuration, objectType, { selection, failures });
    for (const problem of problems) failures.add(() => ({ field: 'expand', message: problem() }));
    failures.throwIfAny();
  }
  return fields;
}
