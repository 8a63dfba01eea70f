import { shownTexts, shownView } from './renamed-views.js';

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
