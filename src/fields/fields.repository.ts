import { Injectable } from '@nestjs/common';
import { IsNull, MoreThanOrEqual } from 'typeorm';
import type { AccountContext, KnownPart } from '../accounts/index.js';
import { inBatches, newId, type EntityReader, type Transaction } from '../database/index.js';
import { FieldCatalog } from './catalog/field-catalog.js';
import { STANDARD_FIELDS } from './catalog/standard-fields.js';
import type { FieldDefinition } from './field-definition.js';
import { FieldDefinitionEntity } from './field-definition.entity.js';
import { OBJECT_TYPES } from './object-type.js';

/** Says of a standard field whether an account starts without it. */
export type LeftOut = (field: FieldDefinition) => boolean;

/** A field with the id under which it is stored. */
export type StoredField = FieldDefinition & { readonly id: string };

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

  /** The catalog of every field. @param known is returned where no field has changed since */
  async catalog(db: EntityReader, account: AccountContext, known?: KnownPart<FieldCatalog>) {
    if (known !== undefined && !(await this.haveChanged(db, account, known.version))) return known.part;
    return new FieldCatalog(await this.list(db, account));
  }

  /** Adds the standard fields of every object type to a new account. */
  async insertStandard(tx: Transaction, { accountId }: AccountContext, isLeftOut: LeftOut): Promise<void> {
    const fields = OBJECT_TYPES.flatMap((objectType) =>
      STANDARD_FIELDS[objectType].map((field, position) => ({ id: newId(), ...field, position })),
    );
    const rows = fields
      .filter((field) => !isLeftOut(field))
      .map((field) => ({ accountId, ...field, options: [...field.options] }));
    await inBatches(rows, (batch) => tx.repository(FieldDefinitionEntity).insert(batch));
  }

  private haveChanged(db: EntityReader, { accountId }: AccountContext, version: string): Promise<boolean> {
    return db.repository(FieldDefinitionEntity).existsBy({ accountId, changedIn: MoreThanOrEqual(version) });
  }
}
