import { Injectable } from '@nestjs/common';
import { conflict, type RecordHook, type RecordWrite, type RecordWriteSteps } from 'fairlead';
import { NotesRepository } from './notes.repository.js';

/** Refuses to archive a contact that has open notes. */
@Injectable()
export class OpenNotesHook implements RecordHook {
  constructor(private readonly notes: NotesRepository) {}

  onWrite({ action, objectType, client }: RecordWrite): RecordWriteSteps | undefined {
    if (action !== 'archive' || objectType !== 'contacts') return undefined;
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
