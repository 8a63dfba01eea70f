import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { ConfiguredRow } from '../database/configured-row.entity.js';
import type { ObjectType } from './object-type.js';

/** A field of an object type, standard or custom, of one account. */
@Entity('field_definitions')
@Index('field_definitions_name_key', ['accountId', 'objectType', 'internalName'], { unique: true })
export class FieldDefinitionEntity extends ConfiguredRow {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'field_definitions_pkey' })
  accountId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'field_definitions_pkey' })
  id!: string;

  @Column('text', { name: 'object_type' })
  objectType!: ObjectType;

  @Column('text', { name: 'internal_name' })
  internalName!: string;

  @Column('text')
  label!: string;

  @Column('text')
  type!: string;

  @Column('jsonb', { default: [] })
  options!: { internalName: string; label: string }[];

  @Column('boolean', { default: false })
  standard!: boolean;

  @Column('boolean', { default: false })
  long!: boolean;

  /** Whether searches have an index of it; the room `records` keeps that. */
  @Column('boolean', { default: false })
  indexed!: boolean;

  /** The object type of the records that a reference names; null for other types. */
  @Column('text', { nullable: true })
  target!: ObjectType | null;

  @Column('integer')
  position!: number;
}
