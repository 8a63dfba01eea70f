import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { Database, newId, type EntityReader } from '../../database/index.js';
import { pageStart, rowPage, versionOf, type Page, type PageRequest } from '../../paging/index.js';
import { conflict } from '../../errors/errors.js';
import { ChangesService, type Changer, type ChangeOptions, type Tried } from '../change/changes.service.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import type { AnyKind, KindOf, Removal, Uses, Wanted } from './managed-kind.js';
import { ManagedRepository, type ManagedRow, type WrittenRow } from './managed.repository.js';
import { objectNotFound, requireActive, requireCurrent } from './refusals.js';

/** The part of a list that a request asks for, with what the kind has of its own. */
export interface ListRequest extends PageRequest {
  /** The `next` of the page before; not together with an offset. */
  readonly after: string | undefined;
  /** What a word of the name or the e-mail begins with. */
  readonly q?: string | undefined;
  /** What is added to the views, where the kind has it. */
  readonly expand?: string | undefined;
}

/** What every view has beside its form. */
export interface ManagedView {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** False, or the time when it was archived. */
  readonly archived: false | string;
}

/** Which object a request changes, and how. */
export interface Edit extends ChangeOptions {
  readonly id: string;
  /** The versions of which it must have one; any unless given. */
  readonly versions?: readonly string[] | undefined;
}

/** A section of a configuration file. */
interface Section {
  /** Its key, such as `teams`. */
  readonly section: string;
  readonly dtos: readonly object[];
}

/** An object that is asked for. */
interface Asked extends Pick<Wanted<ManagedRow, object>, 'dto' | 'present'> {
  /** Where it stands in a file; nothing unless given. */
  readonly path?: string;
  readonly replaces?: boolean;
}

/** A row as it becomes, and the stored one; undefined for a new one. */
interface Becoming {
  readonly row: WrittenRow<ManagedRow>;
  readonly present: ManagedRow | undefined;
}

type Answer = Promise<ManagedView & Tried>;

/** Manages the objects of every kind: by requests, by the file and for the export (contract section 6). */
@Injectable()
export class ManagedService {
  constructor(
    private readonly database: Database,
    private readonly changes: ChangesService,
    private readonly rows: ManagedRepository,
  ) {}

  /**
   * Returns one page in creation order.
   * @throws DomainError 400 for a bad `after`, or one together with an offset
   */
  async list(
    kind: AnyKind,
    account: AccountContext,
    { limit, offset, archived, after, q, expand, ...query }: ListRequest,
  ): Promise<Page<ManagedView>> {
    const range = { limit, offset, archived, behind: pageStart(after, offset) };
    const begins = q === undefined ? {} : { begins: { q, columns: kind.docs.searched ?? [] } };
    const page = await this.database.for(account).read(async (db) => {
      const filter = { ...(await kind.filter(db, account, query)), ...begins };
      const { entity, keyColumn } = kind;
      const found = await this.rows.page(db, account, { entity, keyColumn, filter, range });
      const context = await kind.context(db, account, stored(found.rows));
      const views = found.rows.map((row) => shown(kind, row, context));
      return rowPage(views, range, found);
    });
    if (expand !== undefined) await kind.expand(account, page.data);
    return page;
  }

  /** Returns one object, archived or not. @throws 404 */
  async get(
    kind: AnyKind,
    account: AccountContext,
    { id, expand }: Pick<ListRequest, 'expand'> & { readonly id: string },
  ): Promise<ManagedView> {
    const view = await this.database.for(account).read(async (db) => {
      const row = await this.find(kind, db, { account, id });
      return shown(kind, row, await kind.context(db, account, stored([row])));
    });
    if (expand !== undefined) await kind.expand(account, [view]);
    return view;
  }

  /** Creates an object, or makes an archived one active again. @throws 409 where one is active */
  create(kind: AnyKind, by: Changer, { dto, ...options }: ChangeOptions & { readonly dto: object }): Answer {
    const work = async (change: ConfigurationChange): Promise<ManagedView> => {
      const present = (await this.finder(kind, change, [dto]))(dto);
      if (present?.archivedAt === null) kind.requireFree(present);
      const { row, context } = await this.keepOne(kind, change, { dto, present });
      return { ...shown(kind, row, context), ...kind.onceShown(row, context, options) };
    };
    return this.changes.change(by, work, options);
  }

  /**
   * Changes what `dto` mentions.
   * @throws 404; 409 for an archived object, and for a key that is taken; 412
   */
  update(
    kind: AnyKind,
    by: Changer,
    { id, dto: sent, versions, ...options }: Edit & { readonly dto: object },
  ): Answer {
    const work = async (change: ConfigurationChange): Promise<ManagedView> => {
      const present = await this.active(kind, change, { id, versions });
      const dto = kind.completed(sent, present, change.failAt(''));
      if (kind.unique !== undefined && kind.keyOf(dto) !== kind.keyOf(present)) {
        const owner = (await this.finder(kind, change, [dto]))(dto);
        if (owner !== undefined) kind.requireFree(owner);
      }
      const { row, context } = await this.keepOne(kind, change, { dto, present, replaces: true });
      return shown(kind, row, context);
    };
    return this.changes.change(by, work, { ...options, long: kind.isLong(sent) });
  }

  /** Archives an object. @throws 404, also for an archived one; 409 naming what uses it; 412 */
  archive(kind: AnyKind, by: Changer, { id, versions, orphan, ...options }: Edit & Removal): Answer {
    const work = async (change: ConfigurationChange): Promise<ManagedView> => {
      const present = await this.active(kind, change, { id, versions, archives: true });
      const context = await kind.context(change.tx, by, stored([present]));
      const why = kind.keptFor(present);
      if (why !== undefined) throw conflict(why);
      const { gone, used } = await this.remove(kind, change, { rows: [present], orphan });
      for (const { error } of used.values()) throw error;
      return managedView(gone[0] ?? present, kind.view(present, context));
    };
    return this.changes.change(by, work, options);
  }

  /** Creates and changes what a section of a file contains. Reports what fails to the change. */
  async apply(kind: AnyKind, change: ConfigurationChange, { section, dtos }: Section): Promise<void> {
    if (dtos.length === 0) return;
    const find = await this.finder(kind, change, dtos);
    await this.keep(
      kind,
      change,
      dtos.map((dto, index) => ({ dto, present: find(dto), path: `${section}[${index}]` })),
    );
  }

  /** Creates the object of a DTO, or changes it, by its key. @returns it as it is stored @throws 400 */
  async put<Row>(kind: KindOf<Row>, change: ConfigurationChange, dto: object): Promise<Row> {
    const present = (await this.finder(kind, change, [dto]))(dto);
    return (await this.keepOne(kind, change, { dto, present })).row as Row;
  }

  /** Gives the active objects of a kind the values that `valuesOf` returns, where these differ. */
  async rewrite<Row>(
    kind: KindOf<Row>,
    change: ConfigurationChange,
    valuesOf: (row: Row) => Partial<Row>,
  ): Promise<void> {
    const rows = await this.rows.active(change.tx, change.account, kind);
    const context = await kind.context(change.tx, change.account, stored(rows));
    const becoming = rows.map((present) => ({ present, row: { ...present, ...valuesOf(present as Row) } }));
    await this.saveChanged(kind, change, { rows: becoming, context });
  }

  /** Archives what a section of a file leaves out. Reports what is in use to the change. */
  async prune(kind: AnyKind, change: ConfigurationChange, { section, dtos }: Section): Promise<void> {
    const named = new Set(dtos.map((dto) => kind.keyOf(dto)));
    const active = await this.rows.active(change.tx, change.account, kind);
    const rows = active.filter((row) => kind.keptFor(row) === undefined && !named.has(kind.keyOf(row)));
    const { used } = await this.remove(kind, change, { rows });
    for (const { message } of used.values()) change.fail(section, message);
  }

  /** Returns what the file has of every active object. */
  async export(kind: AnyKind, db: EntityReader, account: AccountContext): Promise<object[]> {
    const rows = await this.rows.active(db, account, kind);
    const context = await kind.context(db, account, stored(rows));
    return rows.flatMap((row) => kind.exported(row, context) ?? []);
  }

  /** Returns one row, archived or not. @throws 404 */
  async find(
    { kind, entity }: AnyKind,
    db: EntityReader,
    { account, id }: { readonly account: AccountContext; readonly id: string },
  ): Promise<ManagedRow> {
    const row = await this.rows.find(db, account, { entity, id });
    if (row === null) throw objectNotFound(kind);
    return row;
  }

  /**
   * Returns an active row.
   * @param edit `archives`: whether it is to be archived
   * @throws 404, also for an archived one that is to be archived; 409 for other archived ones; 412
   */
  async active<Row>(
    kind: KindOf<Row>,
    { tx, account }: ConfigurationChange,
    { id, versions, archives = false }: Edit & { readonly archives?: boolean },
  ): Promise<Row> {
    const row = await this.find(kind, tx, { account, id });
    if (archives && row.archivedAt !== null) throw objectNotFound(kind.kind);
    requireActive(kind, row);
    if (versions !== undefined) {
      const view = shown(kind, row, await kind.context(tx, account, stored([row])));
      requireCurrent(kind.kind, viewVersion(view), versions);
    }
    return row as Row;
  }

  /** Finds the objects of DTOs. Of several with a key it is the active one, or else the one created last. */
  private async finder(
    kind: AnyKind,
    { tx, account }: ConfigurationChange,
    dtos: readonly object[],
  ): Promise<(dto: object) => ManagedRow | undefined> {
    const { entity, keyColumn, unique, revives } = kind;
    const rows = new Map<string, ManagedRow>();
    if (unique !== undefined) {
      const keys = dtos.map((dto) => kind.keyOf(dto));
      for (const row of await this.rows.similar(tx, account, { entity, keyColumn, keys })) {
        const key = kind.keyOf(row);
        const isChosen = row.archivedAt === null || (revives && rows.get(key)?.archivedAt !== null);
        if (isChosen) rows.set(key, row);
      }
    }
    return (dto) => rows.get(kind.keyOf(dto));
  }

  private async keepOne(
    kind: AnyKind,
    change: ConfigurationChange,
    asked: Asked,
  ): Promise<{ row: ManagedRow; context: unknown }> {
    const { rows, context } = await this.keep(kind, change, [asked]);
    change.throwIfFailed();
    const row = rows[0] ?? asked.present;
    if (row === undefined) throw new Error(`A ${kind.kind} was refused silently`);
    return { row, context };
  }

  /** Creates and changes objects. @returns the rows that differ, as they are stored */
  private async keep(
    kind: AnyKind,
    change: ConfigurationChange,
    asked: readonly Asked[],
  ): Promise<{ rows: ManagedRow[]; context: unknown }> {
    const { accountId } = change.account;
    const context = await kind.context(change.tx, change.account, asked);
    const rows: Becoming[] = [];
    for (const { dto, present, path = '', replaces = false } of asked) {
      const wanted = { dto, present, id: present?.id ?? newId(), fail: change.failAt(path), replaces };
      const values = await kind.wanted(wanted, context, change);
      if (values === undefined) continue;
      rows.push({ present, row: { ...values, accountId, id: wanted.id, archivedAt: null } });
    }
    kind.checkAll(context);
    return { rows: await this.saveChanged(kind, change, { rows, context }), context };
  }

  /** Stores the rows that differ from the present ones. @returns them as they are stored */
  private saveChanged(
    kind: AnyKind,
    change: ConfigurationChange,
    { rows, context }: { readonly rows: readonly Becoming[]; readonly context: unknown },
  ): Promise<ManagedRow[]> {
    const differing = rows.filter(({ row, present }) => {
      const before = present === undefined ? null : archivableForm(kind, present, context);
      return change.changed(objectOf(kind, row), { before, after: kind.form(row, context) });
    });
    return this.save(
      kind,
      change,
      differing.map(({ row }) => row),
    );
  }

  /** Archives those that nothing uses. @returns them, and by id what keeps the others */
  private async remove(
    kind: AnyKind,
    change: ConfigurationChange,
    { rows, orphan = false }: Removal & { readonly rows: readonly ManagedRow[] },
  ): Promise<{ gone: ManagedRow[]; used: Uses }> {
    if (rows.length === 0) return { gone: [], used: new Map() };
    const used = await kind.uses(change, rows, { orphan });
    const leaving = rows.filter(({ id }) => !used.has(id));
    const values = leaving.length === 0 ? [] : await kind.leave(change, leaving, { orphan });
    for (const row of leaving) change.did('archive', objectOf(kind, row), { values });
    const archived = leaving.map((row) => ({ ...row, archivedAt: new Date() }));
    return { gone: await this.save(kind, change, archived), used };
  }

  private async save(
    kind: AnyKind,
    change: ConfigurationChange,
    rows: readonly WrittenRow<ManagedRow>[],
  ): Promise<ManagedRow[]> {
    const { keyColumn } = kind;
    const keyed = rows.map((row) => ({ ...row, ...(keyColumn && { [keyColumn]: kind.keyOf(row) }) }));
    if (rows.length > 0) await kind.saving(change, rows);
    return this.rows.save(change.tx, kind, keyed);
  }
}

/** Returns the view of a row: its id, its form, and when it was made, changed and archived. */
export function managedView(row: ManagedRow, form: object): ManagedView {
  return {
    id: row.id,
    ...form,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    archived: row.archivedAt?.toISOString() ?? false,
  };
}

/**
 * Returns the version of a view for its entity tag, that of the same view without what is shown once or
 * expanded, and without when a member was last seen, which nobody has changed; undefined for one of a dry
 * run, which nobody can read.
 */
export function viewVersion(view: object): string | undefined {
  const {
    client_id: _,
    client_secret: __,
    last_seen_at: ___,
    now: ____,
    changes,
    ...rest
  } = view as Readonly<Record<string, unknown>>;
  return changes === undefined ? versionOf(rest) : undefined;
}

const stored = (rows: readonly ManagedRow[]): { readonly present: ManagedRow }[] =>
  rows.map((present) => ({ present }));

const shown = (kind: AnyKind, row: ManagedRow, context: unknown): ManagedView =>
  managedView(row, kind.view(row, context));

const objectOf = (kind: AnyKind, row: WrittenRow<ManagedRow>) =>
  ({ kind: kind.kind, id: row.id, name: kind.nameOf(row) }) as const;

/** What the audit compares of a stored object: its form, and that it is archived where it is. */
function archivableForm(kind: AnyKind, row: ManagedRow, context: unknown): object {
  const form = kind.form(row, context);
  return row.archivedAt === null ? form : { ...form, archived: true };
}
