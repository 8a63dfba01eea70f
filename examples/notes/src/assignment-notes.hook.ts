import { Injectable } from '@nestjs/common';
import type { AssignmentHook, Transaction, WrittenAssignment } from 'fairlead';
import { NotesRepository } from './notes.repository.js';

/** Notes on each contact who got it, and why. Such a note is closed: there is nothing to do about it. */
@Injectable()
export class AssignmentNotesHook implements AssignmentHook {
  constructor(private readonly notes: NotesRepository) {}

  async after(tx: Transaction, { account, router, record, decision }: WrittenAssignment): Promise<void> {
    if (!decision.assigned || decision.unchanged || record.object_type !== 'contacts') return;
    const text = `Assigned to ${decision.user} by the router ${router.name} because of ${decision.reason}`;
    await this.notes.add(tx, account, { contactId: record.id, text, author: null, closedAt: new Date() });
  }
}
