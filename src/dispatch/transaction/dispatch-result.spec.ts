import { archived, conflict, invalid } from '../../errors/errors.js';
import { assigned, REFUSED } from '../testing/decisions.js';
import { assignedAt, assignedResult, notAssignedResult, refusedResult } from './dispatch-result.js';

describe('the answer of a dispatch', () => {
  it('names who got the record, by what field, when and why [contract 4]', () => {
    const at = assignedAt(new Date('2026-06-10T23:05:06.789+02:00'));
    const decision = assigned('ada@acme.test', { fieldName: 'partner' });
    expect(assignedResult(decision, at, 'entry')).toEqual({
      message: 'The object was successfully assigned',
      success: true,
      user: 'ada@acme.test',
      field_name: 'partner',
      owner_assigned_at: 'Wed, 10 Jun 2026 21:05:06 +0000',
      assignment_id: 'entry',
      reason: 'round_robin',
    });
  });

  it('says why nobody got it [contract 4]', () => {
    expect(notAssignedResult(REFUSED)).toEqual({
      message: 'Nobody is available',
      success: false,
      reason: 'no_users_available',
    });
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
