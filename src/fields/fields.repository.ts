import { Injectable } from '@nestjs/common';
import { MoreThanOrEqual } from 'typeorm';
import type { AccountContext, KnownPart } from '../accounts/index.js';
import { inBatches, newId, type Queryable, type Transaction } from '../database/index.js';
import { FieldCatalog } from './catalog/field-catalog.js';
import { STANDARD_FIELDS } from './catalog/standard-fields.js';
import type { FieldDefinition } from './field-definition.js';
import { FieldDefinitionEntity } from './field-definition.entity.js';
import { OBJECT_TYPES } from './object-type.js';

/** A field with the id under which it is stored. */
export type StoredField = FieldDefinition & { readonly id: string };

/** Field definitions of accounts. */
@Injectable()
export class FieldsRepository {
  /** Every field of the account in display order: the standard ones first. */
  async list(db: Queryable, account: AccountContext): Promise<StoredField[]> {
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
      },
      where: { accountId: account.accountId },
      order: { objectType: 'ASC', position: 'ASC' },
    });
  }

  /** The catalog of every field. @param known is returned where no field has changed since */
  async catalog(
    db: Queryable,
    account: AccountContext,
    known: KnownPart<FieldCatalog> | undefined,
  ): Promise<FieldCatalog> {
    if (known !== undefined && !(await this.haveChanged(db, account, known.version))) return known.part;
    return new FieldCatalog(await this.list(db, account));
  }

  /** Adds the standard fields of every object type to a new account. */
  async insertStandard(tx: Transaction, account: AccountContext): Promise<void> {
    const fields = OBJECT_TYPES.flatMap((objectType) =>
      STANDARD_FIELDS[objectType].map((field, position) => ({ id: newId(), ...field, position })),
    );
    await this.insert(tx, account, fields);
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
   * Replaces the label, the options and whether the field is long. Name and type never change: records depend
   * on them.
   */
  async update(
    tx: Transaction,
    { accountId }: AccountContext,
    { objectType, internalName, label, options, long = false }: FieldDefinition,
  ): Promise<void> {
    const values = { label, options: [...options], long };
    await tx.repository(FieldDefinitionEntity).update({ accountId, objectType, internalName }, values);
  }

  private haveChanged(db: Queryable, { accountId }: AccountContext, version: string): Promise<boolean> {
    return db.repository(FieldDefinitionEntity).existsBy({ accountId, changedIn: MoreThanOrEqual(version) });
  }
}
