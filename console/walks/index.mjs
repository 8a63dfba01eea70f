// Walks through the console in a real Chromium, on the built service with its demo account.
//   node walks/index.mjs [--pictures <folder>] [part of a name …]
// CHROMIUM: the browser, /usr/bin/chromium. Ends with `N passed, N failed`.
import { join } from 'node:path';
import { check, finish } from '../../scripts/support/checks.mjs';
import { enter, hasBrowser, launch, newPage, requireNoFault } from './browser.mjs';
import { byKeyboard, managerByKeyboard, operatorByKeyboard } from './keyboard.mjs';
import { look } from './look.mjs';
import { admin, leaver, manager, operator, twoAdmins, viewer } from './people.mjs';
import { ROUTER_WALKS } from './routers.mjs';
import { teach } from './pseudo.mjs';
import { SCREENS } from './screens.mjs';
import { startService } from './service.mjs';
import { byProvider, endedByOthers } from './sessions.mjs';

const args = process.argv.slice(2);
const at = args.indexOf('--pictures');
const [pictures] = at < 0 ? [] : args.splice(at, 2).slice(1);
const isWanted = (name) => args.length === 0 || args.some((part) => name.includes(part));

const BOTH = {
  'an admin invites, edits, tries, publishes and rolls back': admin,
  'a manager sees why, switches somebody off, and finds a leaver’s records': manager,
};
/** What is walked on each engine. */
const WALKS = {
  embedded: {
    ...BOTH,
    'a viewer has no control that the role may not use': viewer,
    'an admin adds and archives people': leaver,
    'an admin by keyboard alone': byKeyboard,
    'a manager by keyboard alone': managerByKeyboard,
    'two admins change one draft': twoAdmins,
    'a session ends while a form is open': endedByOthers,
    ...ROUTER_WALKS,
  },
  external: {
    ...BOTH,
    'an operator sees the database go and come back': operator,
    'an operator by keyboard alone': operatorByKeyboard,
    'people come by the company’s provider': byProvider,
  },
};

if (!hasBrowser) {
  console.log('There is no Chromium: set CHROMIUM, or install it (Debian: apt-get install chromium)');
  console.log('0 passed, 1 failed');
  process.exit(1);
}

/** Keeps what every open page shows. */
async function keepPictures(name) {
  if (pictures === undefined) return;
  const pages = browser.contexts().flatMap((context) => context.pages());
  const path = (n) => join(pictures, `${name.replaceAll(/\W+/g, '-')}-${n}.png`);
  await Promise.all(pages.map((page, n) => page.screenshot({ path: path(n), fullPage: true })));
}

const browser = await launch();
const screens = Object.keys(SCREENS).filter((name) => isWanted(`screen: ${name}`));

/** Walks through one service, and then looks at screens for as long as there are any. */
async function walkThrough(engine) {
  const service = await startService({ external: engine === 'external' });
  const { base } = service;
  const page = await newPage(browser, base);
  const walk = (name, work) =>
    check(name, async () => {
      try {
        await work(browser, { base, service, page, outage: service.outage });
        requireNoFault(page);
      } catch (error) {
        await keepPictures(`failed ${name}`);
        throw error;
      } finally {
        page.faults.length = 0;
      }
    });
  await teach(page.context());
  await check(`${engine}: the printed link opens the console`, () => enter(page, service.first));
  for (const [name, work] of Object.entries(WALKS[engine]))
    if (isWanted(`${engine}: ${name}`)) {
      await page.goto(base);
      await walk(`${engine}: ${name}`, work);
    }
  for (let name = screens.shift(); name !== undefined; name = screens.shift())
    await walk(`screen: ${name}`, () => look(page, base, { name, pictures }));
  await page.context().close();
  await service.close();
}

// Side by side: each waits for its pages most of the time.
await Promise.all(Object.keys(WALKS).map(walkThrough));
await browser.close();
finish();
