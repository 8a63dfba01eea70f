import { recordView, shownTexts, shownView } from './record-view.js';
import { storedContact } from '../../test/units/stored-contact.js';

const ID = '01a1fe1c-5be2-7aa0-8d0c-61ddf2f1a7d5';

describe('the view of a record', () => {
  it('is flat: the id, the default fields in their order, state and times; null where empty [2.1, 2.2]', () => {
    const view = recordView(storedContact(ID, { email: 'a@x.test', first_name: 'Ada', city: 'Paris' }));
    expect(Object.entries(view)).toEqual([
      ['id', ID],
      ['first_name', 'Ada'],
      ['last_name', null],
      ['email', 'a@x.test'],
      ['contact_owner', null],
      ['external_id', null],
      ['created_at', '2026-01-01T00:00:00.000Z'],
      ['updated_at', '2026-02-02T00:00:00.000Z'],
      ['archived', false],
    ]);
  });

  it('has extra properties in the order asked for, before the times; null where empty [2.3]', () => {
    const record = storedContact(ID, { city: 'Paris', email: 'a@x.test' });
    const names = Object.keys(recordView(record, ['record_id', 'email', 'phone', 'city']));
    expect(names.slice(5, -3)).toEqual(['external_id', 'record_id', 'phone', 'city']);
    expect(recordView(record, ['record_id', 'email', 'phone', 'city'])).toMatchObject({
      record_id: ID,
      email: 'a@x.test',
      phone: null,
      city: 'Paris',
    });
  });

  it('says when and by whom a record was archived, which may be nobody known [2.1]', () => {
    const archived_at = new Date('2026-03-03T00:00:00Z');
    expect(recordView(storedContact(ID, {}, { archived_at, archived_by: 'client' }))).toMatchObject({
      archived: '2026-03-03T00:00:00.000Z',
      archived_by: 'client',
    });
    expect(recordView(storedContact(ID, {}, { archived_at }))).toHaveProperty('archived_by', null);
    expect(recordView(storedContact(ID))).not.toHaveProperty('archived_by');
  });
});

const OWNERS = ['contact_owner', 'second_owner'];
const RENAMED = { 'ada@old.test': 'ada@new.test' };
const VIEW = { id: '1', email: 'ada@old.test', contact_owner: 'ada@old.test', archived: false as const };

describe('a view', () => {
  it('has the e-mails of now in its user fields, and keeps the rest and its order [contract 6]', () => {
    const shown = shownView({ ...VIEW, second_owner: null }, RENAMED, OWNERS);
    expect(JSON.stringify(shown)).toBe(
      JSON.stringify({ ...VIEW, contact_owner: 'ada@new.test', second_owner: null }),
    );
    expect(shownTexts([JSON.stringify(VIEW)], RENAMED, OWNERS)).toEqual([
      JSON.stringify({ ...VIEW, contact_owner: 'ada@new.test' }),
    ]);
  });

  it('is left as it is where no e-mail has changed', () => {
    const texts = ['not even JSON'];
    for (const none of [null, undefined]) {
      expect(shownView(VIEW, none, OWNERS)).toBe(VIEW);
      expect(shownTexts(texts, none, OWNERS)).toBe(texts);
    }
  });
});
