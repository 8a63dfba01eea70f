// The same without the mouse.
import { expectStatuses, newPage, requireNoFault, tabTo } from './browser.mjs';
import { seeOutage } from './people.mjs';

/** Enters by a one-time link. */
async function enterByKeyboard(browser, { base, service }, [email, role]) {
  const page = await newPage(browser, base);
  await page.goto(await service.link(email, role));
  await tabTo(page, page.getByRole('button', { name: 'Enter' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  return page;
}

/** Goes to what the command menu finds first. */
async function find(page, typed, name) {
  await page.keyboard.press('Control+k');
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Find or go to');
  await page.keyboard.type(typed);
  // What is found later would begin the list anew.
  const menu = page.locator('.mantine-Spotlight-content[aria-busy="false"]');
  await menu.getByText(name, { exact: true }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Sees that the database is gone, and that it is back. */
export async function operatorByKeyboard(browser, walk) {
  const page = await enterByKeyboard(browser, walk, ['johnson@demo.test', 'admin']);
  await find(page, 'health', 'Health');
  // The page beside it asks, too.
  expectStatuses(walk.page, 503, 500);
  await seeOutage(page, walk.outage);
  requireNoFault(page);
  await page.context().close();
}

/** Sees why one got a record, switches somebody off, and finds the records of a person. */
export async function managerByKeyboard(browser, walk) {
  const page = await enterByKeyboard(browser, walk, ['raman@demo.test', 'manager']);
  const main = page.getByRole('main');
  await find(page, 'assignm', 'Assignments');
  const turn = main.getByRole('row', { name: 'By turns' }).locator('a[href*="/assignments/"]');
  await turn.first().waitFor();
  await tabTo(page, turn);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Who is available' }).first().waitFor();
  await find(page, 'hideki', 'Hideki Yukawa');
  const available = main.getByRole('switch', { name: /Hideki Yukawa/ });
  await available.waitFor();
  await tabTo(page, available, { most: 10 });
  await page.keyboard.press('Space');
  await main
    .getByText(/switched off/i)
    .first()
    .waitFor();
  const records = main.locator('a[href*="/records?"]');
  await records.first().waitFor();
  await tabTo(page, records, { most: 40 });
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor();
  await main.locator('a[href*="/records/"]').first().waitFor();
  requireNoFault(page);
  await page.context().close();
}

/** Enters, finds a router by the command menu, moves a rule, edits a condition, tries, saves and publishes it. */
export async function byKeyboard(browser, walk) {
  const page = await enterByKeyboard(browser, walk, ['srinivasa@demo.test', 'admin']);
  await find(page, 'new comp', 'New companies');
  const rules = page.getByRole('button', { name: 'Edit: Rules, in order' });
  await tabTo(page, rules);
  await page.keyboard.press('Enter');
  const large = page.getByRole('button', { name: /^\d+\. Large$/ });
  await tabTo(page, large);
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByRole('button', { name: '2. Large' }).waitFor();
  await page.getByText('Large is number 2 now').waitFor({ state: 'attached' });
  await page.waitForFunction(() => document.activeElement?.textContent === '2. Large');
  await page.keyboard.press('Alt+ArrowUp');
  await page.getByRole('button', { name: '1. Large' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === '1. Large');
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Value', { exact: true }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('500');
  const save = page.getByRole('button', { name: 'Save the draft' });
  await save.waitFor();
  await tabTo(page, save, { back: true });
  await page.keyboard.press('Enter');
  const review = page.getByRole('link', { name: 'Review and publish' });
  await review.waitFor();
  await tabTo(page, review, { most: 3 });
  await page.keyboard.press('Enter');
  const publish = page.getByRole('button', { name: 'Publish New companies' });
  await publish.waitFor();
  await tabTo(page, publish);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 2, name: 'Versions' }).waitFor();
  // A dialog has the focus, Escape closes it, and what opened it has the focus again.
  const back = page.getByRole('button', { name: 'Roll back to 1' });
  await tabTo(page, back);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.textContent === 'Roll back to 1');
  requireNoFault(page);
  await page.context().close();
}
