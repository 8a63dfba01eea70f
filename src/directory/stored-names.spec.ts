import { StoredNames } from './stored-names.js';

const ADA = { email: 'ada@new.test', storedAs: 'ada@old.test' };

describe('the stored names of users', () => {
  it('are the e-mails where none has changed [contract 6]', () => {
    const names = StoredNames.of([{ email: 'ada@acme.test', storedAs: null }, { email: 'bob@acme.test' }]);
    expect(names).toBe(StoredNames.SAME);
    expect(names.isEmpty).toBe(true);
    expect([names.emailOf('ada@acme.test'), names.nameOf('bob@acme.test')]).toEqual([
      'ada@acme.test',
      'bob@acme.test',
    ]);
    const fields = { contact_owner: 'ada@acme.test' };
    expect(names.shown(fields, ['contact_owner'])).toBe(fields);
  });

  it('stay when an e-mail changes, in both directions [contract 6]', () => {
    const names = StoredNames.of([ADA]);
    expect(names.isEmpty).toBe(false);
    expect(names.emailOf('ada@old.test')).toBe('ada@new.test');
    expect(names.nameOf('ada@new.test')).toBe('ada@old.test');
    expect(names.emailOf('nobody@acme.test')).toBe('nobody@acme.test');
  });

  it('end where the e-mail is the first one again [contract 6]', () => {
    expect(StoredNames.of([{ email: 'ada@old.test', storedAs: 'ada@old.test' }])).toBe(StoredNames.SAME);
  });

  it('tell a former e-mail of one user from that of another who has it now [contract 6]', () => {
    const names = StoredNames.of([ADA, { email: 'ada@old.test', storedAs: 'id-of-the-other' }]);
    expect(names.nameOf('ada@old.test')).toBe('id-of-the-other');
    expect(names.emailOf('ada@old.test')).toBe('ada@new.test');
    expect(names.emailOf('id-of-the-other')).toBe('ada@old.test');
  });

  it('stand in user fields only [contract 6]', () => {
    const names = StoredNames.from({ 'ada@old.test': 'ada@new.test' });
    const stored = { email: 'ada@old.test', contact_owner: 'ada@old.test' };
    expect(names.shown(stored, ['contact_owner', 'missing'])).toEqual({
      email: 'ada@old.test',
      contact_owner: 'ada@new.test',
    });
    const changes = new Map([
      ['email', 'ada@new.test'],
      ['contact_owner', 'ada@new.test'],
      ['second_owner', null],
    ]);
    expect([...names.stored(changes, ['contact_owner', 'second_owner', 'third'])]).toEqual([
      ['email', 'ada@new.test'],
      ['contact_owner', 'ada@old.test'],
      ['second_owner', null],
    ]);
  });

  it('may come from the database', () => {
    expect(StoredNames.from(null)).toBe(StoredNames.SAME);
  });
});
