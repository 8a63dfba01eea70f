import { archived, conflict, invalid } from '../../errors/errors.js';
import type { Decision } from '../../engine/index.js';
import { storedContact } from '../../../test/units/stored-contact.js';
import { assigned, REFUSED } from '../../../test/units/decisions.js';
import { assignedAt, dispatchResult, refusedResult } from './dispatch-result.js';

const NOW = assignedAt(new Date('2026-06-10T23:05:06.789+02:00'));
const answer = (decision: Decision, fields: Record<string, string> = {}) =>
  dispatchResult({ record: storedContact('record', fields), decision, assignmentId: 'entry' }, NOW);

describe('the answer of a dispatch', () => {
  it('names who got the record, by what field, when and why [contract 4]', () => {
    expect(answer(assigned('ada@acme.test', { fieldName: 'partner' }))).toEqual({
      message: 'The object was successfully assigned',
      success: true,
      user: 'ada@acme.test',
      field_name: 'partner',
      owner_assigned_at: 'Wed, 10 Jun 2026 21:05:06 +0000',
      assignment_id: 'entry',
      reason: 'round_robin',
    });
  });

  it('says since when the owner has it who was chosen again [contract 4]', () => {
    const decision = assigned('ada@acme.test', { unchanged: true, reason: 'already_owner' });
    const since = { contact_owner_assigned_date: '2026-03-01T09:30:00.123Z' };
    expect(answer(decision, since)).toMatchObject({
      success: true,
      owner_assigned_at: 'Sun, 01 Mar 2026 09:30:00 +0000',
      reason: 'already_owner',
    });
    // An imagined record has no assigned date.
    const { created_at } = storedContact('record');
    expect(answer(decision)).toMatchObject({ owner_assigned_at: assignedAt(created_at) });
  });

  it('says why nobody got it, and where that is written [contract 4]', () => {
    expect(answer(REFUSED)).toEqual({
      message: 'Nobody is available',
      success: false,
      reason: 'no_users_available',
      assignment_id: 'entry',
    });
  });

  it('names the owner who is kept [contract 4]', () => {
    const kept = { ...REFUSED, reason: 'owner_present', owner: 'ada@acme.test' } as const;
    expect(answer(kept)).toMatchObject({ success: false, user: 'ada@acme.test', assignment_id: 'entry' });
  });
});

describe('the entry of a batch for a record that is refused', () => {
  it('is the error of a single dispatch [2.9, contract 4]', () => {
    expect(refusedResult('a', archived('Archived'))).toEqual({
      object_id: 'a',
      status: 409,
      message: 'Archived',
      error: true,
      code: 'archived',
    });
  });

  it('names the fields to blame where there are any [2.9, contract 4]', () => {
    const errors = [
      { field: 'x', message: 'X' },
      { field: 'y', message: 'Y' },
    ];
    expect(refusedResult('a', invalid(errors))).toMatchObject({ message: 'X (and 1 more)', errors });
    expect(refusedResult('a', invalid(errors))).not.toHaveProperty('field');
    expect(refusedResult('a', invalid(errors.slice(1)))).toMatchObject({ field: 'y' });
    expect(refusedResult('a', conflict('Z', 'z'))).toEqual({
      object_id: 'a',
      status: 409,
      message: 'Z',
      error: true,
      code: 'conflict',
      field: 'z',
      errors: [{ field: 'z', message: 'Z' }],
    });
  });
});
