import { whereIs } from './load-dump.js';

it.each([
  [undefined, 'in ./data (DATA_DIR)'],
  ['postgres://user:secret@db.test:5433/crm', 'at db.test:5433/crm (DATABASE_URL)'],
  ['postgres://user:secret@%2Frun%2Fpg/crm', 'at /run/pg/crm (DATABASE_URL)'],
  ['postgres://user:secret@a:5433,%2Frun%2Fpg/crm?sslmode=disable', 'at a:5433,/run/pg/crm (DATABASE_URL)'],
])('a database is named without its user and password: %s', (url, where) => {
  expect(whereIs({ url, dataDir: './data' })).toBe(where);
});
