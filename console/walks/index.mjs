// Walks through the console in a real Chromium, on the built service with its demo account.
//   node walks/index.mjs [--pictures <folder>] [part of a name …]
// CHROMIUM: the browser, /usr/bin/chromium. Ends with `N passed, N failed`.
import { join } from 'node:path';
import { check, finish } from '../../scripts/support/checks.mjs';
import { enter, hasBrowser, launch, newPage, requireNoFault } from './browser.mjs';
import { byKeyboard } from './keyboard.mjs';
import { admin, leaver, manager, operator, twoAdmins, viewer } from './people.mjs';
import { ROUTER_WALKS } from './routers.mjs';
import { look, SCREENS } from './screens.mjs';
import { startService } from './service.mjs';

const args = process.argv.slice(2);
const at = args.indexOf('--pictures');
const [pictures] = at < 0 ? [] : args.splice(at, 2).slice(1);
const isWanted = (name) => args.length === 0 || args.some((part) => name.includes(part));

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
for (const engine of ['embedded', 'external']) {
  const service = await startService({ external: engine === 'external' });
  const { base } = service;
  const page = await newPage(browser, base);
  const walk = (name, work) =>
    isWanted(`${engine}: ${name}`) &&
    check(`${engine}: ${name}`, async () => {
      try {
        await page.goto(base);
        await work(browser, { base, service, page, outage: service.outage });
        requireNoFault(page);
      } catch (error) {
        await keepPictures(`failed ${engine} ${name}`);
        page.faults.length = 0;
        throw error;
      }
    });
  await check(`${engine}: the printed link opens the console`, () => enter(page, service.first));
  await walk('an admin invites, edits, tries, publishes and rolls back', admin);
  await walk('a manager sees why, switches somebody off, and finds a leaver’s records', manager);
  if (engine === 'embedded') {
    await walk('a viewer has no control that the role may not use', viewer);
    await walk('an admin adds and archives people', leaver);
    await walk('an admin by keyboard alone', byKeyboard);
    await walk('two admins change one draft', twoAdmins);
    for (const [name, work] of Object.entries(ROUTER_WALKS)) await walk(name, work);
    for (const name of Object.keys(SCREENS)) {
      const screen = `screen: ${name}`;
      await walk(screen, () => look(page, base, { name, pictures }));
      page.faults.length = 0;
    }
  } else {
    await walk('an operator sees the database go and come back', operator);
  }
  await page.context().close();
  await service.close();
}
await browser.close();
finish();
