import type { AccountContext } from '../../accounts/index.js';
import type { EntityReader } from '../../database/index.js';
import { nameKey } from '../../text/canonical-text.js';
import { emailKey } from '../../text/email-key.js';
import type { ChangeOptions } from '../change/changes.service.js';
import {
  duplicate,
  type ChangedObject,
  type ConfigurationChange,
  type Fail,
  type InUse,
} from '../change/configuration-change.js';
import type { ValueChange } from '../change/value-changes.js';
import type { KindDocs } from './managed-docs.js';
import type { ManagedRow, RowFilter, WrittenRow } from './managed.repository.js';

/** One object as it is wanted, and the stored one; undefined for a new one. */
export interface Wanted<Row, Dto> {
  readonly dto: Dto;
  readonly present: Row | undefined;
  /** That of the stored one, or a new one. */
  readonly id: string;
  readonly fail: Fail;
  /** Whether lists of the DTO are whole: those of a file or of a new object may add to what there is. */
  readonly replaces: boolean;
}

/** The columns of a kind. What every row has besides is added to them. */
export type RowValues<Row> = Omit<Row, keyof ManagedRow>;

/** Objects of which the context is asked for: stored ones, and what is wanted of them. */
export type Around<Row, Dto> = readonly { readonly dto?: Dto; readonly present?: Row | undefined }[];

/** How objects are archived. */
export interface Removal {
  /** Also users whom records or routers name. */
  readonly orphan?: boolean | undefined;
}

/** What keeps objects from being archived, by their ids. */
export type Uses = ReadonlyMap<string, InUse>;

/** What is its own of one kind of configuration, such as teams. Most kinds leave out what is optional. */
export abstract class KindDeclaration<Row extends ManagedRow, Dto extends object, Context = unknown> {
  /** The table. */
  abstract readonly entity: new () => Row;
  /** The key of a body that no two active objects share; undefined where there is none. */
  readonly unique: 'name' | 'email' | 'internal_name' | undefined = 'name';
  /** The column with what `keyOf` returns; undefined where there is none. */
  readonly keyColumn: string | undefined = undefined;
  /** Whether a file or a POST that names an archived object makes it active again. */
  readonly revives: boolean = true;
  /** What an archived one is called. */
  readonly gone: string = 'archived';

  get docs(): KindDocs {
    return (this.constructor as unknown as { readonly docs: KindDocs }).docs;
  }

  /** What one is called in messages and in the audit. */
  get kind(): ChangedObject['kind'] {
    return this.docs.one;
  }

  /** The columns by which the export is ordered. */
  get order(): readonly string[] {
    return [this.label];
  }

  /** Returns what the file, the plan and the audit call an object. */
  nameOf(object: WrittenRow<Row> | Partial<Dto>): string {
    return (object as Readonly<Record<string, string | undefined>>)[this.label] ?? '';
  }

  /** Returns what two objects share that are the same for the file. */
  keyOf(object: WrittenRow<Row> | Dto): string {
    return (this.label === 'email' ? emailKey : nameKey)(this.nameOf(object));
  }

  /** Reads what the forms of objects need, and the rules for what is wanted of them. */
  abstract context(db: EntityReader, account: AccountContext, around: Around<Row, Dto>): Promise<Context>;

  /** Returns an object as the file spells it. */
  abstract form(row: WrittenRow<Row>, context: Context): object;

  /** Returns the columns of an object as it is wanted; undefined where something fails, which is reported. */
  abstract wanted(
    wanted: Wanted<Row, Dto>,
    context: Context,
    change: ConfigurationChange,
  ): RowValues<Row> | undefined | Promise<RowValues<Row> | undefined>;

  /** Returns what a PATCH wants, with the keys that it leaves out and every DTO has. */
  completed(dto: Partial<Dto>, present: Row, _fail: Fail): Dto {
    return { [this.label]: this.nameOf(present), ...dto } as unknown as Dto;
  }

  /** Returns what requests are answered. */
  view(row: Row, context: Context): object {
    return this.form(row, context);
  }

  /** Returns what only the answer to a creation has. */
  onceShown?(row: Row, context: Context, options: ChangeOptions): object;

  /** Returns the rows that a list asks for, beside `archived` and `q`. @param query its own parameters */
  filter?(db: EntityReader, account: AccountContext, query: object): RowFilter | Promise<RowFilter>;

  /** Adds to views what `expand` of a request asks for. */
  expand?(account: AccountContext, views: readonly { readonly id: string }[]): Promise<void>;

  /** Is called before rows are created or changed, in their transaction. May report what fails of them. */
  saving?(
    change: ConfigurationChange,
    rows: readonly WrittenRow<Row>[],
    context: Context,
  ): Promise<void> | void;

  /** Whether the work on it may read all records of the account. */
  isLong?(dto: Partial<Dto>): boolean;

  /** Says why an object is never removed, which pruning leaves alone; undefined for one that may be. */
  keptFor?(row: Row): string | undefined;

  /** Returns what keeps objects from being archived. */
  uses?(change: ConfigurationChange, rows: readonly Row[], removal: Removal): Promise<Uses>;

  /** Prepares that objects are archived. @returns what the audit tells of it beside that they are */
  leave?(change: ConfigurationChange, rows: readonly Row[], removal: Removal): Promise<ValueChange[]>;

  /** Returns the form of an object in the export; undefined for one that every account has. */
  exported(row: Row, context: Context): object | undefined {
    return this.form(row, context);
  }

  /** @throws DomainError 409 where the object that has a key keeps it from another */
  requireFree({ archivedAt, id }: Row): void {
    if (archivedAt === null && this.unique !== undefined) throw duplicate(this.kind, this.unique, id);
  }

  private get label(): 'email' | 'name' {
    return this.unique === 'email' ? 'email' : 'name';
  }
}
