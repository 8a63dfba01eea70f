import type { Directory } from '../../directory/index.js';
import type { FieldDefinition } from '../../fields/index.js';
import { OwnerNames } from './owner-names.js';

const USERS = [
  { email: 'ada@acme.test', name: 'Ada Lovelace' },
  { email: 'bob@acme.test', name: 'Bob' },
  { email: 'bob2@acme.test', name: ' BOB ' },
  { email: 'eve@acme.test', name: null },
];

const owners = new OwnerNames({
  own: USERS,
  findUser: (text: string) => USERS.find(({ email }) => email === text.toLowerCase()),
} as unknown as Directory);
const read = (text: string): unknown => owners.read(text, { internalName: 'owner' } as FieldDefinition);

it.each([
  [' ADA@acme.test\u00a0', 'ADA@acme.test'],
  ['Somebody Else <ada@acme.test>', 'ada@acme.test'],
  ['ada  lovelace', 'ada@acme.test'],
  ['Ada\u00a0Lovelace', 'ada@acme.test'],
  ['Lovelace, Ada', 'ada@acme.test'],
  ['Lovelace, Ada, x', 'Lovelace, Ada, x'],
  ['ADA LOVELACE', 'ada@acme.test'],
  ['Nobody <nobody@acme.test>', 'Nobody <nobody@acme.test>'],
  ['<', '<'],
  ['\u200b', '\u200b'],
])('The owner %j is %s [contract 7]', (text, expected) => expect(read(text)).toBe(expected));

it('An owner whose name two users have is refused, with their e-mails [contract 7]', () => {
  expect(read('bob')).toMatchObject({
    message: 'owner may be one of 2 users whose name is bob: bob2@acme.test, bob@acme.test',
  });
});
