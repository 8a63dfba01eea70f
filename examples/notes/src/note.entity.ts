import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A note on a contact. As in every table of the service, the account leads the key. */
@Entity('notes')
@Index('notes_contact_idx', ['accountId', 'contactId', 'id'])
export class NoteEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'notes_pkey' })
  accountId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'notes_pkey' })
  id!: string;

  @Column('uuid', { name: 'contact_id' })
  contactId!: string;

  @Column('text')
  text!: string;

  /** The API client that wrote it; null for the service itself. */
  @Column('text', { nullable: true })
  author!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** Null for an open note. */
  @Column('timestamptz', { name: 'closed_at', nullable: true })
  closedAt!: Date | null;
}
