import type { NoteEntity } from './note.entity.js';

/** A note as clients see it. */
export interface NoteView {
  readonly id: string;
  readonly contact_id: string;
  readonly text: string;
  readonly author: string | null;
  readonly created_at: string;
  readonly closed_at: string | null;
}

export function noteView({ id, contactId, text, author, createdAt, closedAt }: NoteEntity): NoteView {
  return {
    id,
    contact_id: contactId,
    text,
    author,
    created_at: createdAt.toISOString(),
    closed_at: closedAt?.toISOString() ?? null,
  };
}
