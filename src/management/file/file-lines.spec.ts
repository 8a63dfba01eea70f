import { LineCounter, parseDocument } from 'yaml';
import { fileLines, type LineOf } from './file-lines.js';

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

function linesOf(text: string): LineOf {
  const lineCounter = new LineCounter();
  return fileLines(parseDocument(text, { lineCounter }).contents, lineCounter);
}

describe('the line of a key of a configuration file', () => {
  it.each([
    ['accounts', 2],
    ['accounts[0]', 3],
    ['accounts[0].slug', 3],
    ['accounts[0].users', 4],
    ['accounts[0].users[0].email', 5],
    ['accounts[0].users[1].available', 7],
    ['accounts[0].teams[0].members', 10],
    ['accounts[1].slug', 11],
  ])('%s is %s', (path, line) => expect(linesOf(FILE)(path)).toBe(line));

  it.each([
    ['accounts[0].teams[0].colour', 9],
    ['accounts[0].users[7].email', 4],
    ['accounts[0].teams[0].members[0].email', 10],
  ])('is that of what is around it where it is not there: %s', (path, line) =>
    expect(linesOf(FILE)(path)).toBe(line),
  );

  it('is unknown where nothing is around it', () => {
    expect(linesOf(FILE)('colour')).toBeUndefined();
    expect(linesOf('')('accounts')).toBeUndefined();
  });
});
