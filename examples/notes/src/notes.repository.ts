import { Injectable } from '@nestjs/common';
import { newId, type AccountContext, type EntityReader, type PageRange, type Transaction } from 'fairlead';
import { IsNull } from 'typeorm';
import { NoteEntity } from './note.entity.js';

/** What a new note is made of. */
export type NewNote = Pick<NoteEntity, 'contactId' | 'text' | 'author' | 'closedAt'>;

/** One note of a contact. */
export type NoteKey = Pick<NoteEntity, 'contactId' | 'id'>;

/**
 * The table of notes. What writes runs in the transaction that it is given. What reads may run in
 * `Database.read`, too.
 */
@Injectable()
export class NotesRepository {
  async add(tx: Transaction, { accountId }: AccountContext, values: NewNote): Promise<NoteEntity> {
    const note = { ...values, accountId, id: newId(), createdAt: new Date() };
    await tx.repository(NoteEntity).insert(note);
    return note;
  }

  /** @returns one page of a contact's notes in the order of their creation, and the count of all */
  list(
    db: EntityReader,
    { accountId }: AccountContext,
    { contactId, limit, offset }: Pick<NoteEntity, 'contactId'> & PageRange,
  ): Promise<[NoteEntity[], number]> {
    return db.repository(NoteEntity).findAndCount({
      where: { accountId, contactId },
      order: { id: 'ASC' },
      take: limit,
      skip: offset,
    });
  }

  find(db: EntityReader, { accountId }: AccountContext, key: NoteKey): Promise<NoteEntity | null> {
    return db.repository(NoteEntity).findOneBy({ accountId, ...key });
  }

  /** Closes a note, unless it is closed. */
  async close(tx: Transaction, { accountId }: AccountContext, key: NoteKey): Promise<void> {
    const open = { accountId, ...key, closedAt: IsNull() };
    await tx.repository(NoteEntity).update(open, { closedAt: new Date() });
  }

  hasOpen(db: EntityReader, { accountId }: AccountContext, contactId: string): Promise<boolean> {
    return db.repository(NoteEntity).existsBy({ accountId, contactId, closedAt: IsNull() });
  }
}
