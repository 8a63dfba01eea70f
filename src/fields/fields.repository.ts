import { Injectable } from '@nestjs/common';
import { Any, IsNull, MoreThanOrEqual } from 'typeorm';
import type { AccountContext, KnownPart } from '../accounts/index.js';
import {
  inBatches,
  newId,
  pageById,
  type IdRange,
  type EntityReader,
  type RowPage,
  type Transaction,
} from '../database/index.js';
import { FieldCatalog } from './catalog/field-catalog.js';
import { STANDARD_FIELDS } from './catalog/standard-fields.js';
import type { FieldDefinition } from './field-definition.js';
import { FieldDefinitionEntity } from './field-definition.entity.js';
import { OBJECT_TYPES, type ObjectType } from './object-type.js';

/** Says of a standard field whether an account starts without it. */
export type LeftOut = (field: FieldDefinition) => boolean;

/** A field with the id under which it is stored. */
export type StoredField = FieldDefinition & { readonly id: string };

/** The part of a list of fields that is read. */
export interface FieldRange extends IdRange {
  readonly archived: boolean;
  readonly objectType: ObjectType | undefined;
}

/** Field definitions of accounts. */
@Injectable()
export class FieldsRepository {
  /** Every field of the account that is not archived, in display order. */
  async list(db: EntityReader, { accountId }: AccountContext): Promise<StoredField[]> {
    return db.repository(FieldDefinitionEntity).find({
      select: {
        id: true,
        objectType: true,
        internalName: true,
        label: true,
        type: true,
        options: true,
        standard: true,
        long: true,
        indexed: true,
        target: true,
      },
      where: { accountId, archivedAt: IsNull() },
      order: { objectType: 'ASC', position: 'ASC' },
    });
  }

  /** As `list`, with the archived fields and everything that is stored of each. */
  listAll(db: EntityReader, { accountId }: AccountContext): Promise<FieldDefinitionEntity[]> {
    return db
      .repository(FieldDefinitionEntity)
      .find({ where: { accountId }, order: { objectType: 'ASC', position: 'ASC' } });
  }

  /** A field, archived or not. */
  find(db: EntityReader, { accountId }: AccountContext, id: string): Promise<FieldDefinitionEntity | null> {
    return db.repository(FieldDefinitionEntity).findOneBy({ accountId, id });
  }

  /** One page of fields in creation order. @param range `objectType`: of this type only */
  page(
    db: EntityReader,
    { accountId }: AccountContext,
    { archived, objectType, ...range }: FieldRange,
  ): Promise<RowPage<FieldDefinitionEntity>> {
    const where = {
      accountId,
      ...(objectType === undefined ? {} : { objectType }),
      ...(archived ? {} : { archivedAt: IsNull() }),
    };
    return pageById(db.repository(FieldDefinitionEntity), where, range);
  }

  /** The catalog of every field. @param known is returned where no field has changed since */
  async catalog(
    db: EntityReader,
    account: AccountContext,
    known: KnownPart<FieldCatalog> | undefined,
  ): Promise<FieldCatalog> {
    if (known !== undefined && !(await this.haveChanged(db, account, known.version))) return known.part;
    return new FieldCatalog(await this.list(db, account));
  }

  /** Adds the standard fields of every object type to a new account. */
  async insertStandard(tx: Transaction, account: AccountContext, isLeftOut: LeftOut): Promise<void> {
    const fields = OBJECT_TYPES.flatMap((objectType) =>
      STANDARD_FIELDS[objectType].map((field, position) => ({ id: newId(), ...field, position })),
    );
    await this.insert(
      tx,
      account,
      fields.filter((field) => !isLeftOut(field)),
    );
  }

  /**
   * Adds fields.
   * @throws the unique violation of the database for a name that exists
   */
  async insert(
    tx: Transaction,
    { accountId }: AccountContext,
    fields: readonly (StoredField & { readonly position: number })[],
  ): Promise<void> {
    const rows = fields.map((field) => ({ accountId, ...field, options: [...field.options] }));
    await inBatches(rows, (batch) => tx.repository(FieldDefinitionEntity).insert(batch));
  }

  /**
   * Replaces the label, the options, whether the field is long, indexed and archived. Name and type
   * never change: records depend on them.
   */
  async update(
    tx: Transaction,
    { accountId }: AccountContext,
    field: StoredField & Pick<FieldDefinitionEntity, 'archivedAt'>,
  ): Promise<void> {
    const { id, label, options, long = false, indexed = false, archivedAt } = field;
    const values = { label, options: [...options], long, indexed, archivedAt };
    await tx.repository(FieldDefinitionEntity).update({ accountId, id }, values);
  }

  /** Archives fields, which keep everything else that is stored of them. */
  async archive(tx: Transaction, { accountId }: AccountContext, ids: readonly string[]): Promise<void> {
    const values = { archivedAt: new Date() };
    await tx.repository(FieldDefinitionEntity).update({ accountId, id: Any([...ids]) }, values);
  }

  private haveChanged(db: EntityReader, { accountId }: AccountContext, version: string): Promise<boolean> {
    return db.repository(FieldDefinitionEntity).existsBy({ accountId, changedIn: MoreThanOrEqual(version) });
  }
}
