import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import { newId, type Queryable, type Transaction } from '../database/index.js';
import { STANDARD_FIELDS } from './catalog/standard-fields.js';
import type { FieldDefinition } from './field-definition.js';
import { FieldDefinitionEntity } from './field-definition.entity.js';
import { OBJECT_TYPES } from './object-type.js';

/** Field definitions of accounts. */
@Injectable()
export class FieldsRepository {
  /** Every field of the account in display order: the standard ones first. */
  async list(db: Queryable, account: AccountContext): Promise<FieldDefinition[]> {
    return db.repository(FieldDefinitionEntity).find({
      select: {
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

  /** Adds the standard fields of every object type to a new account. */
  async insertStandard(tx: Transaction, account: AccountContext): Promise<void> {
    for (const objectType of OBJECT_TYPES) {
      await this.insert(tx, account, { fields: STANDARD_FIELDS[objectType], firstPosition: 0 });
    }
  }

  /**
   * Adds fields with positions from `firstPosition` on.
   * @throws the unique violation of the database for a name that exists
   */
  async insert(
    tx: Transaction,
    { accountId }: AccountContext,
    {
      fields,
      firstPosition,
    }: { readonly fields: readonly FieldDefinition[]; readonly firstPosition: number },
  ): Promise<void> {
    const rows = fields.map((field, index) => ({
      accountId,
      id: newId(),
      ...field,
      options: [...field.options],
      position: firstPosition + index,
    }));
    await tx.repository(FieldDefinitionEntity).insert(rows);
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
}
