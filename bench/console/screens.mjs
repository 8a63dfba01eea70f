// Measures every screen of the console on a service with the large account.
import { enter, newPage } from '../../console/walks/browser.mjs';
import { median } from '../support/load.mjs';
import { serviceOn } from '../support/service.mjs';
import { prepare, type, visit } from './visit.mjs';

/** The name of the router with many rules. */
export const LARGEST = 'largest';

/** @returns the medians of each screen whose name has the text, and milliseconds from letters to their paint */
export async function measure(browser, place, { only, rounds }) {
  const page = await signedIn(browser, place);
  const base = `${place.server.address}/console/`;
  const screens = await screensOf(place);
  const results = [];
  for (const [screen, path] of Object.entries(screens).filter(([name]) => name.includes(only))) {
    const visits = [];
    for (let round = 0; round < rounds; round++) visits.push(await visit(page, base, path));
    const of = (key) => Math.round(median(visits.map((one) => one[key])));
    results.push({ screen, ...Object.fromEntries(Object.keys(visits[0]).map((key) => [key, of(key)])) });
    console.error(`${screen} done`);
  }
  return { results, typing: await typing(page, base + screens['the largest route']) };
}

/** A page of an admin. */
async function signedIn(browser, { postgres, server: { address } }) {
  const options = ['--account', 'bench', '--email', 'admin@bench.test', '--role', 'admin'];
  const printed = serviceOn(postgres.url).cli('console', 'link', ...options);
  const page = await newPage(browser, `${address}/console/`, { viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(120_000);
  await prepare(page);
  await enter(page, /http:\S+\/console\/enter#\S+/.exec(printed)[0].replace(/^http:\/\/[^/]+/, address));
  return page;
}

/** The screens by their paths. */
async function screensOf({ send, routers }) {
  const first = async (path) => (await send('GET', path)).data[0].id;
  const { count } = (await send('GET', '/users?limit=1')).pagination;
  const owned = { field: 'contact_owner', operator: 'eq', value: 'free7@bench.test' };
  const filter = new URLSearchParams({ filter: JSON.stringify({ groups: [{ conditions: [owned] }] }) });
  const of = (prefix, names, path) => Object.fromEntries(names.map((name) => [prefix + name, path + name]));
  return {
    today: '',
    routers: 'routers',
    'a route': `routers/${[...routers].at(-2)[1]}`,
    'the largest route': `routers/${routers.get(LARGEST)}`,
    'its fairness': `routers/${routers.get(LARGEST)}/fairness`,
    assignments: 'assignments',
    'assignments by person': 'assignments?view=user',
    'an assignment': `assignments/${await first('/assignments?limit=1')}`,
    people: 'people',
    'a person': `people/${await first(`/users?limit=1&offset=${count - 1}`)}`,
    ...of('records: ', ['contacts', 'companies', 'deals', 'tickets'], 'records?type='),
    'records of an owner': `records?${filter}`,
    'a record': `records/contacts/${await first('/contacts?limit=1')}`,
    audit: 'audit',
    ...of('', ['members', 'clients', 'teams', 'fields', 'capacities'], 'settings/'),
    health: 'health',
  };
}

/** Types letters into a condition of the largest router. */
async function typing(page, address) {
  await page.goto(address);
  await page.getByRole('button', { name: 'Edit: Rules, in order' }).click();
  await page.locator('[data-rule="0"]').click();
  await page.getByRole('textbox', { name: 'Value', exact: true }).last().click();
  await type(page, 'ab');
  return type(page, 'cdefghij');
}
