// The plan of the page of a search, as the service makes it.
import { createRequire } from 'node:module';

const load = (path) => createRequire(import.meta.url)(`../../dist/src/${path}.js`);
const { BUILTIN_OPERATORS, parseTrigger } = load('engine/index');
const { BUILT_IN_FIELD_TYPES, FieldCatalog, FieldTypeRegistry } = load('fields/index');
const { fieldLookup } = load('routers/index');
const { CompiledSearch } = load('records/search/compiled-search');
const { searchQuery } = load('records/search/read-search');
const { readSearchCursor } = load('records/search/search-cursor');
const { orderText, readSort } = load('records/search/search-order');

const types = new FieldTypeRegistry(BUILT_IN_FIELD_TYPES);
const objectType = 'contacts';

/** Returns the lookup of the account's fields. Its users are found by what they are called. */
async function fieldsOf(db, accountId) {
  const { rows } = await db.query(
    `SELECT object_type AS "objectType", internal_name AS "internalName", label, type, options, standard, indexed
      FROM field_definitions WHERE account_id = $1 AND archived_at IS NULL ORDER BY position`,
    [accountId],
  );
  return fieldLookup(new FieldCatalog(rows), types, { findUser: (email) => ({ email }) });
}

/** Returns the lines of the plan of the first statement that finds records. @param body of a search */
export async function planOf(db, { filter, sort = [], after, limit }) {
  const { rows: accounts } = await db.query(`SELECT id FROM accounts WHERE slug = 'bench'`);
  const [{ id: accountId }] = accounts;
  const fields = await fieldsOf(db, accountId);
  const known = { fields, operators: BUILTIN_OPERATORS, types };
  const parsed = filter && parseTrigger({ value: filter, path: 'filter' }, objectType, { ...known });
  const names = readSort(sort, { objectType, fields, failures: undefined });
  const asked = { objectType, archived: false, filter: parsed?.trigger ?? { groups: [] }, sort: names };
  const search = new CompiledSearch({ accountId }, searchQuery(asked, known));
  const rowsOf = async (asked) => asked && (await db.query(asked.statement.text, [...asked.values])).rows;
  const decided = async () =>
    search.path((await rowsOf(search.chances()))?.[0], await rowsOf(search.owners()));
  const path = search.directPath() ?? (await decided());
  const place = after ? readSearchCursor(after, orderText(objectType, names), search.keys) : undefined;
  const { statement, values } = search.page(path.stages[0], place, limit + 1);
  // As in the transaction of a search.
  await db.query('SET max_parallel_workers_per_gather = 0; SET jit = off');
  const plan = await db.query(`EXPLAIN (COSTS OFF) ${statement.text}`, [...values]);
  return plan.rows
    .map((row) => row['QUERY PLAN'])
    .join('\n')
    .replaceAll(accountId, '<account>');
}
