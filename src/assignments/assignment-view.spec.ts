import { assignmentView } from './assignment-view.js';
import { logged } from '../../test/units/logged.js';

describe('the view of a log entry', () => {
  it('has the keys of the contract in their order, and nothing of the log beside them [contract 6]', () => {
    const row = { ...logged('entry', { user_email: null }), trace: [], turn: null };
    expect(Object.entries(assignmentView(row))).toEqual([
      ['id', 'entry'],
      ['router_id', 'R'],
      ['router_version', 3],
      ['rule', null],
      ['step', 0],
      ['object_id', 'record'],
      ['object_type', 'contacts'],
      ['user', null],
      ['previous_user', 'old@acme.test'],
      ['reason', 'round_robin'],
      ['message', 'The object was successfully assigned'],
      ['created_at', '2026-06-10T12:00:00.000Z'],
    ]);
    expect(assignmentView(logged('entry')).user).toBe('ada@acme.test');
  });
});
