import { Injectable } from '@nestjs/common';
import { DirectoryRepository, type Directory } from '../../directory/index.js';
import { FieldCatalog, FieldsRepository, type ObjectType } from '../../fields/index.js';
import {
  RoutersRepository,
  RouterValidator,
  type RouterContent,
  type RouterEntity,
  type StoredVersion,
} from '../../routers/index.js';
import type { ConfigurationChange, Refuse } from '../change/configuration-change.js';
import { wantedContent, type RouterKeys, type WantedRouter } from './wanted-content.js';

/** What routers are checked against, as of one change. */
export interface Surroundings {
  readonly directory: Directory;
  readonly catalog: FieldCatalog;
  /** Every active router, with its draft. */
  readonly routers: readonly RouterEntity[];
}

/** Makes what routers have out of what files and requests say, by the rules of both. */
@Injectable()
export class RouterContents {
  constructor(
    private readonly routers: RoutersRepository,
    private readonly directory: DirectoryRepository,
    private readonly fields: FieldsRepository,
    private readonly validator: RouterValidator,
  ) {}

  async load({ tx, account }: ConfigurationChange): Promise<Surroundings> {
    const directory = await this.directory.load(tx, account);
    const catalog = new FieldCatalog(await this.fields.list(tx, account));
    return { directory, catalog, routers: await this.routers.listWithDrafts(tx, account) };
  }

  /**
   * Returns what a router has when the keys are applied to the base, ready to be stored.
   * @returns undefined where something is refused
   */
  wanted(
    refuse: Refuse,
    wanted: WantedRouter,
    { directory, catalog }: Surroundings,
  ): RouterContent | undefined {
    const { content, isComplete } = wantedContent(refuse, wanted, directory);
    const unchecked = { ...content, objectType: wanted.objectType, before: wanted.base?.settings };
    const checked = this.validator.validate(unchecked, catalog, directory);
    if (checked.ok) return isComplete ? { ...content, settings: checked.settings } : undefined;
    for (const { field = '', message } of checked.errors) {
      // A part of a pool may fail where the whole would not.
      if (isComplete || field.startsWith('settings')) refuse(field, message);
    }
    return undefined;
  }

  /** Reports what keeps a stored content from being published as things are configured now. */
  check(refuse: Refuse, router: StoredVersion, { directory, catalog }: Surroundings): void {
    for (const { field, message } of this.validator.check(router, catalog, directory)) {
      refuse(field ?? '', message);
    }
  }
}

/** Returns the type of a router; undefined where it is refused. @param present undefined for a new one */
export function objectTypeOf(
  refuse: Refuse,
  { object_type }: RouterKeys,
  present: RouterEntity | undefined,
): ObjectType | undefined {
  const objectType = object_type ?? present?.objectType;
  if (objectType === undefined) refuse('object_type', 'object_type is required for a new router');
  if (present === undefined || objectType === present.objectType) return objectType;
  refuse('object_type', `the object type of this router is ${present.objectType} and cannot change`);
  return undefined;
}
