import type { FairleadExtension } from 'fairlead';
import { AssignmentNotesHook } from './assignment-notes.hook.js';
import { CreateNotes1764200000000 } from './create-notes.migration.js';
import { NoteEntity } from './note.entity.js';
import { NotesModule } from './notes.module.js';
import { OpenNotesHook } from './open-notes.hook.js';

/** Notes on contacts. A contact with open notes cannot be archived, and each assignment is noted. */
const notes: FairleadExtension = {
  name: 'notes',
  imports: [NotesModule],
  recordHooks: [OpenNotesHook],
  assignmentHooks: [AssignmentNotesHook],
  entities: [NoteEntity],
  migrations: [CreateNotes1764200000000],
};

export default notes;
