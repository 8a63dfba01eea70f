// What the search benchmark measures.

/** Rows of a page. */
export const LIMIT = 10;
/** Rows behind which the next page is asked for. */
const DEEP = 100_000;

const where = (field, operator, value) => ({ groups: [{ conditions: [{ field, operator, value }] }] });
const any = (list) => list[Math.floor(Math.random() * list.length)];
const number = (most) => Math.floor(Math.random() * most);

/** Returns the place of the page behind a number of rows. */
async function placeBehind(send, body) {
  let after = null;
  for (let row = 0; row < DEEP && (row === 0 || after !== null); row += 100) {
    const page = await send('POST', '/contacts/search', { ...body, limit: 100, after });
    after = page.pagination.next;
  }
  return after;
}

/** @param ids of contacts @returns names, functions that send one, and the bodies of the searches */
export async function searchesOf(send, ids) {
  const contact = await send('GET', `/contacts/${any(ids)}?properties=plan_code`);
  const search = (name, body, rows) => ({
    name,
    rows,
    body: { limit: LIMIT, ...body },
    send: () => send('POST', '/contacts/search', { limit: LIMIT, ...body }),
  });
  const deep = async (name, body) => search(name, { ...body, after: await placeBehind(send, body) }, LIMIT);
  const owner = where('contact_owner', 'eq', `user${number(1_000)}@bench.test`);
  return [
    { name: 'GET', send: () => send('GET', `/contacts/${any(ids)}`) },
    { name: 'list', send: () => send('GET', `/contacts?limit=${LIMIT}`) },
    search('by e-mail', { filter: where('email', 'eq', contact.email) }, 1),
    search('by external id', { filter: where('external_id', 'eq', contact.external_id) }, 1),
    search('by owner', { filter: owner }, LIMIT),
    search('by owner, newest change first', { filter: owner, sort: ['-updated_at'] }, LIMIT),
    search('by an indexed text', { filter: where('plan_code', 'eq', contact.plan_code) }),
    search('by an indexed text, a fourth match', { filter: where('segment', 'eq', 's1') }, LIMIT),
    search('by the beginning of an indexed text', { filter: where('plan_code', 'starts_with', 'plan 4999') }),
    search('by an indexed number, between', { filter: where('score', 'between', [10, 10.5]) }),
    search('by an indexed number, most match', { filter: where('score', 'gt', 1) }, LIMIT),
    search('newest change first', { sort: ['-updated_at'] }, LIMIT),
    search('oldest change first', { sort: ['updated_at'] }, LIMIT),
    search('changed in the last years', { filter: where('last_modified_date', 'gte', '2020-01-01') }, LIMIT),
    search('greatest number first', { sort: ['-score'] }, LIMIT),
    await deep('page 100,000 in creation order', {}),
    await deep('page 100,000, newest change first', { sort: ['-updated_at'] }),
    await deep('page 100,000, least number first', { sort: ['score'] }),
  ];
}
