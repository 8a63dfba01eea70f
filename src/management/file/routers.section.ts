import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { newId, type EntityReader } from '../../database/index.js';
import { isPlainDecimal, type ObjectType } from '../../fields/index.js';
import {
  contentOf,
  objectTypeOf,
  ownerOfName,
  pendingContent,
  RouterValidator,
  shownContent,
  staleDraft,
  withContent,
  type NewRouter,
  type RouterContent,
  type RouterDto,
  type RouterEntity,
} from '../../routers/index.js';
import { nameKey } from '../../text/canonical-text.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import type { ConfigurationChange, Fail } from '../change/configuration-change.js';
import { valueChanges } from '../change/value-changes.js';
import { routerForm } from '../routers/router-view.js';
import { RouterWriter, type RouterContext, type RoutersChange } from '../routers/router-writer.js';

/** A router in the file, and what reports that a key of it fails. */
interface NamedRouter {
  readonly dto: RouterDto;
  readonly fail: Fail;
}

/**
 * Applies `routers`, after the users, teams and fields they refer to. Settings are merged key by key: with
 * what is live where the router stays published, and otherwise with its draft. What changes of a router that
 * is published, or becomes so, is its next version.
 */
@Injectable()
export class RoutersSection {
  constructor(
    private readonly validator: RouterValidator,
    private readonly writer: RouterWriter,
  ) {}

  async apply(change: ConfigurationChange, section: string, dtos: readonly RouterDto[]): Promise<void> {
    if (dtos.length === 0) return;
    const routers = await this.writer.open(change);
    const { context } = routers;
    const known = new Map(context.routers.map((router) => [nameKey(shownContent(router).name), router]));
    const created: (NewRouter & RouterContent)[] = [];
    for (const [index, given] of dtos.entries()) {
      const router = known.get(nameKey(given.name));
      const dto = withValuesOf(given, given.object_type ?? router?.objectType, context);
      const named = { dto, fail: change.failAt(`${section}[${index}]`) };
      if (router === undefined) created.push(...this.created(named, context));
      else await this.change(routers, router, named);
    }
    await routers.create(created);
  }

  /** Archives the routers that `dtos` leave out. */
  async prune(change: ConfigurationChange, _section: string, dtos: readonly RouterDto[]): Promise<void> {
    const named = new Set(dtos.map(({ name }) => nameKey(name)));
    const routers = await this.writer.open(change);
    for (const router of routers.context.routers) {
      if (!named.has(nameKey(shownContent(router).name))) await routers.archive(router);
    }
  }

  /** Returns what the file has of every active router. */
  async export(db: EntityReader, account: AccountContext): Promise<object[]> {
    const { directory, routers } = await this.writer.load(db, account);
    return routers.map((router) => routerForm(withContent(router, shownContent(router)), directory));
  }

  /** Returns a new router; none where it is refused. */
  private created({ dto, fail }: NamedRouter, context: RouterContext): (NewRouter & RouterContent)[] {
    const objectType = objectTypeOf(fail, dto, undefined);
    if (objectType === undefined) return [];
    const owner = ownerOfName(context.routers, dto.name);
    if (owner !== undefined) {
      fail('name', `the router ${shownContent(owner).name} has this name in another version of it`);
      return [];
    }
    const content = this.validator.wanted(fail, { keys: dto, base: undefined, objectType }, context);
    const { published = false } = dto;
    const version = published ? 1 : null;
    return content === undefined ? [] : [{ ...content, id: newId(), objectType, published, version }];
  }

  private async change(
    routers: RoutersChange,
    router: RouterEntity,
    { dto, fail }: NamedRouter,
  ): Promise<void> {
    const objectType = objectTypeOf(fail, dto, router);
    if (objectType === undefined) return;
    const { published = router.published } = dto;
    const staysLive = published && router.published;
    const base = staysLive ? contentOf(router) : pendingContent(router);
    const content = this.validator.wanted(fail, { keys: dto, base, objectType }, routers.context);
    if (content === undefined) return;
    if (!published) return routers.saveDraft({ router, content, published });
    const before = routers.form(withContent(router, base));
    const after = routers.form(withContent(router, content, { published }));
    if (valueChanges(before, after).length === 0) return;
    const stale = staysLive ? undefined : staleDraft(router);
    if (stale !== undefined) return fail('published', stale);
    await routers.goLive({ router, content, draft: staysLive ? (router.draft ?? null) : null });
  }
}

function withValuesOf(
  { settings, ...dto }: RouterDto,
  objectType: ObjectType | undefined,
  { catalog }: RouterContext,
): RouterDto {
  if (settings == null || objectType === undefined) return { ...dto, ...(settings === null && { settings }) };
  const typeOf = (field: string): string | undefined => catalog.get(objectType, field)?.type;
  return { ...dto, settings: asFieldsHave(settings, typeOf) };
}

/**
 * Returns settings in which the values of conditions are of the kind that their fields have. YAML does not
 * know fields: it has texts that are numbers to it and not to requests (`1e6`, `.5`, `0x1F`), and numbers and
 * booleans that are names of options.
 * @param typeOf the type of a field; undefined for one that there is not
 */
export function asFieldsHave<T>(settings: T, typeOf: (field: string) => string | undefined): T {
  const read = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(read);
    if (!isPlainObject(part)) return part;
    const convert = typeof part['field'] === 'string' ? CONVERTERS[typeOf(part['field']) ?? ''] : undefined;
    const entries = Object.entries(part).map(([key, value]): [string, unknown] => {
      if (key !== 'value' || convert === undefined) return [key, read(value)];
      return [key, Array.isArray(value) ? value.map(convert) : convert(value)];
    });
    return Object.fromEntries(entries);
  };
  return read(settings) as T;
}

const CONVERTERS: Readonly<Record<string, ((value: unknown) => unknown) | undefined>> = {
  number: (value) => {
    // A plain decimal keeps its digits.
    if (typeof value !== 'string' || value.trim() === '' || isPlainDecimal(value)) return value;
    const number = Number(value);
    return Number.isFinite(number) ? number : value;
  },
  enumeration: (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
};
