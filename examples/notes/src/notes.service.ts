import { Injectable } from '@nestjs/common';
import {
  Database,
  isId,
  notFound,
  page,
  RecordsService,
  type ClientContext,
  type Page,
  type PageRange,
  type RecordKey,
} from 'fairlead';
import { noteView, type NoteView } from './note-view.js';
import { NotesRepository } from './notes.repository.js';

/** Notes on the contacts of the caller's account. */
@Injectable()
export class NotesService {
  constructor(
    private readonly database: Database,
    private readonly records: RecordsService,
    private readonly notes: NotesRepository,
  ) {}

  /** @throws DomainError 404, 409 for an archived contact */
  create(client: ClientContext, contactId: string, text: string): Promise<NoteView> {
    return this.database.transaction(async (tx) => {
      // While it is locked nobody archives the contact, so an archived contact never has an open note.
      const contact = await this.records.lock(tx, client, contactKey(contactId));
      const note = { contactId: contact.id, text, author: client.clientId, closedAt: null };
      return noteView(await this.notes.add(tx, client, note));
    });
  }

  /** @throws DomainError 404 */
  async list(client: ClientContext, contactId: string, range: PageRange): Promise<Page<NoteView>> {
    await this.records.get(client, contactKey(contactId));
    const [notes, count] = await this.database.read((db) =>
      this.notes.list(db, client, { contactId, ...range }),
    );
    return page(notes.map(noteView), range, count);
  }

  /** @throws DomainError 404 */
  async close(client: ClientContext, contactId: string, id: string): Promise<NoteView> {
    await this.records.get(client, contactKey(contactId));
    if (!isId(id)) throw notFound('Note not found');
    const key = { contactId, id };
    const note = await this.database.transaction(async (tx) => {
      await this.notes.close(tx, client, key);
      return this.notes.find(tx, client, key);
    });
    if (note === null) throw notFound('Note not found');
    return noteView(note);
  }
}

function contactKey(id: string): RecordKey {
  return { objectType: 'contacts', id };
}
