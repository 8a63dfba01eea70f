import { LineCounter, parseDocument } from 'yaml';
import { filePlaces, type PlaceOf } from './file-places.js';

const FILE = `# Sales
accounts:
  - slug: acme
    users: &all
      - email: ada@acme.test
      - { email: bob@acme.test,
          available: true }
    teams:
      - name: Sales
        members: *all
  - { "slug": other }
`;

function placesOf(text: string): PlaceOf {
  const lineCounter = new LineCounter();
  return filePlaces(parseDocument(text, { lineCounter }).contents, lineCounter);
}

describe('the place of a key of a configuration file', () => {
  it.each([
    ['accounts', 2, 1],
    ['accounts[0]', 3, 5],
    ['accounts[0].slug', 3, 5],
    ['accounts[0].users', 4, 5],
    ['accounts[0].users[0].email', 5, 9],
    ['accounts[0].users[1].available', 7, 11],
    ['accounts[0].teams[0].members', 10, 9],
    ['accounts[1].slug', 11, 7],
  ])('%s is line %s, column %s', (path, line, column) =>
    expect(placesOf(FILE)(path)).toEqual({ line, column }),
  );

  it.each([
    ['accounts[0].teams[0].colour', 9, 9],
    ['accounts[0].users[7].email', 4, 5],
    ['accounts[0].teams[0].members[0].email', 10, 9],
  ])('is that of what is around it where it is not there: %s', (path, line, column) =>
    expect(placesOf(FILE)(path)).toEqual({ line, column }),
  );

  it('is unknown where nothing is around it', () => {
    expect(placesOf(FILE)('colour')).toBeUndefined();
    expect(placesOf('')('accounts')).toBeUndefined();
  });
});
