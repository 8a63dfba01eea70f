// Every screen of the console, and how it is reached.
import { expectStatuses } from './browser.mjs';

const PAGE = { data: [], pagination: { count: 0, next: null } };
const SECTIONS = ['members', 'clients', 'teams', 'fields', 'capacities'];

const open = (path) => async (page, base) => {
  await page.goto(base + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
};
const follow = (list, selector) => async (page, base) => {
  await page.goto(base + list);
  await page.locator(`main ${selector}`).first().click();
  await page.waitForURL((url) => !url.pathname.endsWith(`/${list}`));
};
const router = follow('routers', 'a[href*="/routers/"]');
const ofRouter = (tab) => async (page, base) => {
  await router(page, base);
  await page.goto(`${page.url().replace(/[?#].*/, '')}/${tab}`);
};

/** Answers requests for a path of the API in place of the service. */
async function answer(page, base, { path, status = 200, body }) {
  expectStatuses(page, status);
  const { origin } = new URL(base);
  await page.route(
    (url) => url.origin === origin && url.pathname === `/${path}`,
    (route) => route.fulfill({ status, json: body }),
  );
}

/** A screen for which the API answers something else. */
const answered = (path, go, answers) => async (page, base) => {
  await answer(page, base, { path, ...answers });
  await open(go)(page, base);
};
const failing = { status: 500, body: { status: 'error', message: 'The database is being repaired' } };
const empty = { body: PAGE };

/** Lists, by the request that they make. */
const LISTS = {
  routers: 'routers',
  people: 'users',
  assignments: 'assignments',
  records: 'contacts/search',
  audit: 'audit',
  ...Object.fromEntries(SECTIONS.map((section) => [`settings/${section}`, section])),
};

/** A page of somebody who is not signed in. */
const entrance = (session, path = '') =>
  answered('console/session', path, { body: { signed_in: false, oidc: false, accounts: [], ...session } });
const LINK = 'x'.repeat(43);

/** Over a record that is edited, the dialog of a session that has ended elsewhere. */
const ended = (session) => async (page, base) => {
  if (session !== undefined) await answer(page, base, { path: 'console/session', body: session });
  await SCREENS['a record that is edited'](page, base);
  await answer(page, base, { path: 'me', status: 401, body: {} });
  await page.evaluate(() => new BroadcastChannel('fairlead.session').postMessage('left'));
  await page.getByRole('dialog').waitFor();
};

/** How each screen is reached: its path, or what is done to see it. */
export const SCREENS = {
  today: '',
  'today of a new account': async (page, base) => {
    for (const path of ['routers', 'users', 'assignments']) await answer(page, base, { path, ...empty });
    await open('')(page, base);
  },
  assignments: 'assignments',
  'assignments by person': 'assignments?view=user',
  'assignments by day': 'assignments?view=day',
  'an empty list': 'assignments?user=nobody@example.test',
  'an assignment': follow('assignments', 'a[href*="/assignments/"]'),
  people: 'people',
  'a person': follow('people', 'a[href*="/people/"]'),
  routers: 'routers',
  'a route': router,
  'a route that is edited': async (page, base) => {
    await router(page, base);
    for (const part of ['Which records it takes', 'Rules, in order', 'own pool', 'When nobody'])
      await page.getByRole('button', { name: new RegExp(`^Edit: .*${part}`) }).click();
    await page.getByRole('button', { name: /^\d+\. Enterprise$/ }).click();
  },
  publication: ofRouter('publish'),
  versions: ofRouter('versions'),
  fairness: ofRouter('fairness'),
  records: 'records',
  'a record': follow('records', 'a[href*="/records/contacts/"]'),
  'a record that is edited': async (page, base) => {
    await SCREENS['a record'](page, base);
    await page.getByRole('button', { name: 'Edit: Fields' }).click();
  },
  'a record that two have changed': async (page, base) => {
    await SCREENS['a record that is edited'](page, base);
    await page.getByLabel('Job title').fill('Navigator');
    await page.evaluate(
      async (path) => {
        const [now] = [Date.now()];
        const headers = { 'X-Fairlead-Console': '1', 'Content-Type': 'application/json' };
        const body = JSON.stringify({ fields: { job_title: `Helmsman ${now}` } });
        await fetch(path, { method: 'PATCH', headers, body });
      },
      new URL(page.url()).pathname.replace('/console/records', ''),
    );
    expectStatuses(page, 412);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').waitFor();
  },
  'a session that has ended': ended(undefined),
  'a session of the provider that has ended': ended({ signed_in: true, oidc: true, accounts: [] }),
  ...Object.fromEntries(
    SECTIONS.flatMap((section) => [
      [section, `settings/${section}`],
      [`a new one of ${section}`, `settings/${section}?edit=new`],
    ]),
  ),
  audit: 'audit',
  health: 'health',
  ...Object.fromEntries(
    Object.entries(LISTS).flatMap(([path, request]) => [
      [`${path}: none`, answered(request, path, empty)],
      [`${path}: failing`, answered(request, path, failing)],
    ]),
  ),
  'sign-in': entrance({}),
  'sign-in by the provider': entrance({ oidc: true }, 'people'),
  'sign-in that was refused': entrance({ oidc: true }, 'enter?refused=unknown'),
  'the service is away': answered('console/session', '', failing),
  'a one-time link': open(`enter#${LINK}`),
  'a one-time link that was used': async (page, base) => {
    expectStatuses(page, 401);
    await open(`enter#${LINK}`)(page, base);
    await page.getByRole('main').getByRole('button').click();
    await page.getByRole('alert').waitFor();
  },
  'signed in': open('enter'),
  'no such page': 'no-such-page',
  'a record that is not there': async (page, base) => {
    expectStatuses(page, 404);
    await open('records/contacts/nobody')(page, base);
  },
  'the command menu': async (page, base) => {
    await open('')(page, base);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('inb');
    await page.getByText('Inbound').last().waitFor();
  },
};
