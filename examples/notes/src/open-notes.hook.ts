import { Injectable } from '@nestjs/common';
import { conflict, type RecordHook, type RecordWrite, type RecordWriteSteps } from 'fairlead';
import { NotesRepository } from './notes.repository.js';

/** Refuses to archive a contact that has open notes. */
@Injectable()
export class OpenNotesHook implements RecordHook {
  constructor(private readonly notes: NotesRepository) {}

  /** Other writes of a batch or an import are done together. */
  concerns({ action, objectType }: Omit<RecordWrite, 'id'>): boolean {
    return action === 'archive' && objectType === 'contacts';
  }

  onWrite(write: RecordWrite): RecordWriteSteps | undefined {
    if (!this.concerns(write)) return undefined;
    const { client } = write;
    return {
      // After, because the contact is locked then and cannot get another note. The error undoes the
      // archiving.
      after: async (tx, { record }) => {
        if (await this.notes.hasOpen(tx, client, record.id)) {
          throw conflict('This contact has open notes: close them before it is archived');
        }
      },
    };
  }
}
