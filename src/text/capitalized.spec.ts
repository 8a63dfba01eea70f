import { capitalized } from './capitalized.js';

it.each([
  ['contacts', 'Contacts'],
  ['create', 'Create'],
  ['out of office', 'Out of office'],
  ['Team', 'Team'],
  ['', ''],
])('%j is %j with a capital', (word, expected) => expect(capitalized(word)).toBe(expected));
