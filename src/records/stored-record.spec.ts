import { valueOf, type StoredRecord } from './record-view.js';

const record: StoredRecord = {
  id: '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5',
  object_type: 'contacts',
  fields: { first_name: 'Ada', contact_owner_assigned_date: '2026-03-01T00:00:00.000Z' },
  archived_at: null,
  archived_by: null,
  created_at: new Date('2026-01-01T00:00:00Z'),
  updated_at: new Date('2026-02-02T00:00:00Z'),
};

describe('valueOf', () => {
  it.each([
    ['a stored field', 'first_name', 'Ada'],
    ['an assigned date', 'contact_owner_assigned_date', '2026-03-01T00:00:00.000Z'],
    ['record_id', 'record_id', record.id],
    ['create_date', 'create_date', '2026-01-01T00:00:00.000Z'],
    ['last_modified_date', 'last_modified_date', '2026-02-02T00:00:00.000Z'],
    ['an empty field', 'last_name', undefined],
    ['a name that every object inherits', 'constructor', undefined],
  ])('reads %s [2.5]', (_, name, value) => {
    expect(valueOf(record, name)).toBe(value);
  });

  it('reads a field whose name every object inherits', () => {
    expect(valueOf({ ...record, fields: { constructor: 'mine' } }, 'constructor')).toBe('mine');
  });
});
