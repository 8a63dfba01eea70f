import { Inject } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { Database, newId, type EntityReader } from '../../database/index.js';
import { archived, conflict } from '../../errors/errors.js';
import { pageStart, rowPage, versionOf, type Page, type PageRequest } from '../../paging/index.js';
import { ChangesService, type Changer, type ChangeOptions, type Tried } from '../change/changes.service.js';
import {
  objectNotFound,
  requireCurrent,
  type ChangedObject,
  type ConfigurationChange,
} from '../change/configuration-change.js';
import { KindDeclaration, type Removal, type Uses, type Wanted } from './kind-declaration.js';
import { ManagedRepository, type ManagedRow, type WrittenRow } from './managed.repository.js';

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

/** What is wanted of an object, and where a file says so. */
type Asked<Row, Dto> = Pick<Wanted<Row, Dto>, 'dto' | 'present'> & {
  readonly path?: string;
  readonly replaces?: boolean;
};

/** A row as it becomes, and the stored one; undefined for a new one. */
interface Becoming<Row> {
  readonly row: WrittenRow<Row>;
  readonly present: Row | undefined;
}

type Answer = Promise<ManagedView & Tried>;

/**
 * One kind of configuration. Its objects are managed here by requests, by the file and for the export
 * (contract section 6); what is its own, a subclass declares, which is a provider. Its static `docs`
 * (KindDocs) describe its routes, which `managedController` makes.
 */
export abstract class ManagedKind<
  Row extends ManagedRow,
  Dto extends object,
  Context = unknown,
> extends KindDeclaration<Row, Dto, Context> {
  @Inject(Database) private readonly database!: Database;
  @Inject(ChangesService) protected readonly changes!: ChangesService;
  private readonly rows = new ManagedRepository<Row>(this);

  /** Returns one page in creation order. @throws 400 for a bad `after`, or one together with an offset */
  async list(
    account: AccountContext,
    { limit, offset, archived, after, q, expand, ...query }: ListRequest,
  ): Promise<Page<ManagedView>> {
    const range = { limit, offset, archived, behind: pageStart(after, offset) };
    const begins = q === undefined ? {} : { begins: { q, columns: this.docs.searched ?? [] } };
    const page = await this.database.for(account).read(async (db) => {
      const filter = { ...(await this.filter?.(db, account, query)), ...begins };
      const found = await this.rows.page(db, account, { filter, range });
      const context = await this.context(db, account, stored(found.rows));
      const views = found.rows.map((row) => this.shown(row, context));
      return rowPage(views, range, found);
    });
    if (expand !== undefined) await this.expand?.(account, page.data);
    return page;
  }

  /** Returns one object, archived or not. @throws 404 */
  async get(
    account: AccountContext,
    { id, expand }: Pick<ListRequest, 'expand'> & { readonly id: string },
  ): Promise<ManagedView> {
    const view = await this.database.for(account).read(async (db) => {
      const row = await this.find(db, account, id);
      return this.shown(row, await this.context(db, account, stored([row])));
    });
    if (expand !== undefined) await this.expand?.(account, [view]);
    return view;
  }

  /** Creates an object, or makes an archived one active again. @throws 409 where one is active */
  create(by: Changer, { dto, ...options }: ChangeOptions & { readonly dto: Dto }): Answer {
    const work = async (change: ConfigurationChange): Promise<ManagedView> => {
      const present = await this.present(change, dto);
      if (present?.archivedAt === null) this.requireFree(present);
      const { row, context } = await this.keepOne(change, { dto, present });
      return { ...this.shown(row, context), ...this.onceShown?.(row, context, options) };
    };
    return this.changes.change(by, work, options);
  }

  /** Changes what `dto` mentions. @throws 404; 409 for an archived object and a key that is taken; 412 */
  update(
    by: Changer,
    { id, dto: sent, versions, ...options }: Edit & { readonly dto: Partial<Dto> },
  ): Answer {
    const work = async (change: ConfigurationChange): Promise<ManagedView> => {
      const present = await this.active(change, { id, versions });
      const dto = this.completed(sent, present, change.failAt(''));
      if (this.unique !== undefined && this.keyOf(dto) !== this.keyOf(present)) {
        const owner = await this.present(change, dto);
        if (owner !== undefined) this.requireFree(owner);
      }
      const { row, context } = await this.keepOne(change, { dto, present, replaces: true });
      return this.shown(row, context);
    };
    return this.changes.change(by, work, { ...options, long: this.isLong?.(sent) === true });
  }

  /** Archives an object. @throws 404, also for an archived one; 409 naming what uses it; 412 */
  archive(by: Changer, { id, versions, orphan, ...options }: Edit & Removal): Answer {
    const work = async (change: ConfigurationChange): Promise<ManagedView> => {
      const present = await this.active(change, { id, versions, archives: true });
      const context = await this.context(change.tx, by, stored([present]));
      const why = this.keptFor?.(present);
      if (why !== undefined) throw conflict(why);
      const { gone, used } = await this.remove(change, [present], { orphan });
      for (const { error } of used.values()) throw error;
      return this.shown(gone[0] ?? present, context);
    };
    return this.changes.change(by, work, options);
  }

  /** Creates and changes what a section of a file contains. Reports what fails to the change. */
  async apply(change: ConfigurationChange, section: string, dtos: readonly Dto[]): Promise<void> {
    if (dtos.length === 0) return;
    const known = await this.known(change, dtos);
    const asked = dtos.map((dto, index) => ({
      dto,
      present: known.get(this.keyOf(dto)),
      path: `${section}[${index}]`,
    }));
    await this.keep(change, asked);
  }

  /** Creates the object of a DTO, or changes it, by its key. @returns it as it is stored @throws 400 */
  async put(change: ConfigurationChange, dto: Dto): Promise<Row> {
    return (await this.keepOne(change, { dto, present: await this.present(change, dto) })).row;
  }

  /** Gives the active objects of a kind the values that `valuesOf` returns, where these differ. */
  async rewrite(change: ConfigurationChange, valuesOf: (row: Row) => Partial<Row>): Promise<void> {
    const rows = await this.rows.active(change.tx, change.account);
    const context = await this.context(change.tx, change.account, stored(rows));
    const becoming = rows.map((present) => ({ present, row: { ...present, ...valuesOf(present) } }));
    await this.saveChanged(change, becoming, context);
  }

  /** Archives what a section of a file leaves out. Reports what is in use to the change. */
  async prune(change: ConfigurationChange, section: string, dtos: readonly Dto[]): Promise<void> {
    const named = new Set(dtos.map((dto) => this.keyOf(dto)));
    const active = await this.rows.active(change.tx, change.account);
    const rows = active.filter((row) => this.keptFor?.(row) === undefined && !named.has(this.keyOf(row)));
    const { used } = await this.remove(change, rows);
    for (const { message } of used.values()) change.fail(section, message);
  }

  /** Returns what the file has of every active object. */
  async export(db: EntityReader, account: AccountContext): Promise<object[]> {
    const rows = await this.rows.active(db, account);
    const context = await this.context(db, account, stored(rows));
    return rows.flatMap((row) => this.exported(row, context) ?? []);
  }

  /**
   * Returns an active row. @param edit `archives`: whether it is to be archived
   * @throws 404, also for an archived one that is to be archived; 409 for other archived ones; 412
   */
  async active(
    { tx, account }: ConfigurationChange,
    { id, versions, archives = false }: Edit & { readonly archives?: boolean },
  ): Promise<Row> {
    const { kind, gone, unique, revives } = this;
    const row = await this.find(tx, account, id);
    if (row.archivedAt !== null) {
      if (archives) throw objectNotFound(kind);
      const isRevived = unique !== undefined && revives;
      const way = isRevived ? `: a POST /${kind}s with its ${unique} makes it active again` : '';
      throw archived(`This ${kind} is ${gone} and cannot be changed${way}`);
    }
    if (versions !== undefined) {
      const view = this.shown(row, await this.context(tx, account, stored([row])));
      requireCurrent(kind, viewVersion(view), versions);
    }
    return row;
  }

  /** Returns one row, archived or not. @throws 404 */
  private async find(db: EntityReader, account: AccountContext, id: string): Promise<Row> {
    const row = await this.rows.find(db, account, id);
    if (row === null) throw objectNotFound(this.kind);
    return row;
  }

  /** Finds the objects of DTOs. Of several with a key it is the active one, or else the one created last. */
  private async known(
    { tx, account }: ConfigurationChange,
    dtos: readonly Dto[],
  ): Promise<ReadonlyMap<string, Row>> {
    const rows = new Map<string, Row>();
    if (this.unique === undefined) return rows;
    const keys = dtos.map((dto) => this.keyOf(dto));
    for (const row of await this.rows.similar(tx, account, keys)) {
      const key = this.keyOf(row);
      const isChosen = row.archivedAt === null || (this.revives && rows.get(key)?.archivedAt !== null);
      if (isChosen) rows.set(key, row);
    }
    return rows;
  }

  private async present(change: ConfigurationChange, dto: Dto): Promise<Row | undefined> {
    return (await this.known(change, [dto])).get(this.keyOf(dto));
  }

  private async keepOne(
    change: ConfigurationChange,
    asked: Asked<Row, Dto>,
  ): Promise<{ row: Row; context: Context }> {
    const { rows, context } = await this.keep(change, [asked]);
    change.throwIfFailed();
    const row = rows[0] ?? asked.present;
    if (row === undefined) throw new Error(`A ${this.kind} was refused silently`);
    return { row, context };
  }

  /** Creates and changes objects. @returns the rows that differ, as they are stored */
  private async keep(
    change: ConfigurationChange,
    asked: readonly Asked<Row, Dto>[],
  ): Promise<{ rows: Row[]; context: Context }> {
    const { accountId } = change.account;
    const context = await this.context(change.tx, change.account, asked);
    const rows: Becoming<Row>[] = [];
    for (const { dto, present, path = '', replaces = false } of asked) {
      const id = present?.id ?? newId();
      const wanted = { dto, present, id, fail: change.failAt(path), replaces };
      const values = await this.wanted(wanted, context, change);
      if (values === undefined) continue;
      const row = { ...values, accountId, id, archivedAt: null } as unknown as WrittenRow<Row>;
      rows.push({ present, row });
    }
    return { rows: await this.saveChanged(change, rows, context), context };
  }

  /** Stores the rows that differ from the present ones. @returns them as they are stored */
  private async saveChanged(
    change: ConfigurationChange,
    rows: readonly Becoming<Row>[],
    context: Context,
  ): Promise<Row[]> {
    const differing = rows.flatMap(({ row, present }) => {
      // Forms do not say that an object is archived.
      const archived = present?.archivedAt == null ? {} : { archived: true };
      const before = present === undefined ? null : { ...this.form(present, context), ...archived };
      const isChanged = change.changed(this.objectOf(row), { before, after: this.form(row, context) });
      return isChanged ? [row] : [];
    });
    if (differing.length > 0) await this.saving?.(change, differing, context);
    return this.save(change, differing);
  }

  /** Archives those that nothing uses. @returns them, and by id what keeps the others */
  private async remove(
    change: ConfigurationChange,
    rows: readonly Row[],
    removal: Removal = {},
  ): Promise<{ gone: Row[]; used: Uses }> {
    if (rows.length === 0) return { gone: [], used: new Map() };
    const used: Uses = (await this.uses?.(change, rows, removal)) ?? new Map();
    const leaving = rows.filter(({ id }) => !used.has(id));
    const values = leaving.length === 0 ? [] : await this.leave?.(change, leaving, removal);
    for (const row of leaving) change.did('archive', this.objectOf(row), { values: values ?? [] });
    const gone = leaving.map((row) => ({ ...row, archivedAt: new Date() }));
    return { gone: await this.save(change, gone), used };
  }

  private save(change: ConfigurationChange, rows: readonly WrittenRow<Row>[]): Promise<Row[]> {
    const { keyColumn } = this;
    const keyed = rows.map((row) => ({ ...row, ...(keyColumn && { [keyColumn]: this.keyOf(row) }) }));
    return this.rows.save(change.tx, keyed);
  }

  private shown(row: Row, context: Context): ManagedView {
    return {
      id: row.id,
      ...this.view(row, context),
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
      archived: row.archivedAt?.toISOString() ?? false,
    };
  }

  private objectOf(row: WrittenRow<Row>): ChangedObject {
    return { kind: this.kind, id: row.id, name: this.nameOf(row) };
  }
}

/** A kind, whatever its rows and DTOs are. */
export type AnyKind = ManagedKind<ManagedRow, object>;

/** Keys of views that say nothing of the version: shown once, expanded, or changed by nobody. */
const UNVERSIONED = ['client_id', 'client_secret', 'last_seen_at', 'now'];

/** Returns the version of a view for its entity tag; undefined for one of a dry run. */
export function viewVersion(view: object): string | undefined {
  if ('changes' in view) return undefined;
  return versionOf(Object.fromEntries(Object.entries(view).filter(([key]) => !UNVERSIONED.includes(key))));
}

const stored = <Row>(rows: readonly Row[]): { readonly present: Row }[] =>
  rows.map((present) => ({ present }));
