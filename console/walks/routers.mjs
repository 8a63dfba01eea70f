// Routers as they are made, copied, edited by two people, and published as they were seen.
import { enter, expectStatuses, newPage, requireNoFault } from './browser.mjs';

const heading = (page, name) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const button = (page, name) => page.getByRole('button', { name, exact: true });
const open = async (page, base, name) => {
  await page.goto(`${base}routers`);
  await page.getByRole('main').getByRole('link', { name, exact: true }).click();
  await heading(page, name);
};

/** Holds up every comparison of versions. @returns what lets them go */
async function holdDifferences(page) {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route('**/diff?*', (route) => held.then(() => route.continue()));
  return async () => {
    release();
    await page.unrouteAll({ behavior: 'wait' });
  };
}

/** Makes a router, copies one with a pool of its own and one without, and archives them all. */
async function routersMade(_, { base, page }) {
  const make = async (name) => {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await button(dialog, 'Create').click();
    await heading(page, name);
  };
  await page.goto(`${base}routers`);
  await button(page, 'New router').click();
  await make('Fresch');
  await button(page, 'Rename').click();
  await page.getByRole('dialog').getByLabel('Name').fill('Renamed');
  await button(page.getByRole('dialog'), 'Save').click();
  await heading(page, 'Renamed');
  for (const name of ['Support', 'Inbound']) {
    await open(page, base, name);
    await button(page, 'Copy').click();
    await make(`${name} once more`);
  }
  // Each dialog begins anew.
  await button(page, 'Copy').click();
  await page.getByRole('dialog').getByLabel('Name').fill('Typed and left');
  await page.keyboard.press('Escape');
  await button(page, 'Copy').click();
  if ((await page.getByRole('dialog').getByLabel('Name').inputValue()) !== '')
    throw new Error('The dialog keeps what was typed before');
  await page.keyboard.press('Escape');
  for (const name of ['Renamed', 'Support once more', 'Inbound once more']) {
    await open(page, base, name);
    await button(page, 'Archive').click();
    await button(page.getByRole('dialog'), 'Archive').click();
    await heading(page, 'Routers');
    await page.getByRole('main').getByRole('link', { name, exact: true }).waitFor({ state: 'detached' });
  }
}

/** A form stays with its rule, a tick is taken back, and a rule is moved twice from one button. */
async function rulesEdited(_, { base, page }) {
  await open(page, base, 'Inbound');
  await button(page, 'Edit: Rules, in order').click();
  const rules = page.getByRole('button', { name: /^\d+\. / });
  await rules.first().waitFor();
  const [first, second, third] = (await rules.allTextContents()).map((text) => text.replace(/^\d+\. /, ''));
  await button(page, `2. ${second}`).click();
  await button(page, `Move ${first} down`).click();
  const name = page.getByLabel('Name of the rule');
  if ((await name.inputValue()) !== second) throw new Error('The form is that of another rule');
  const refuses = page.getByLabel('Nobody gets what this rule takes');
  const members = page.getByRole('button', { name: /^Remove .*@|^Remove team/ });
  const named = await members.count();
  await refuses.click();
  await members.first().waitFor({ state: 'detached' });
  await refuses.click();
  await members.first().waitFor();
  if ((await members.count()) !== named) throw new Error('A tick that is taken back costs people');
  // From the third place to the first, without another look for the button.
  await button(page, `Move ${third} up`).focus();
  for (const place of [2, 1]) {
    await page.keyboard.press('Enter');
    await button(page, `${place}. ${third}`).waitFor();
    if (place === 2)
      await page.waitForFunction(
        (label) => document.activeElement?.getAttribute('aria-label') === label,
        `Move ${third} up`,
      );
  }
  // Where it can be moved no further, the rule itself has the focus.
  await page.waitForFunction((text) => document.activeElement?.textContent === text, `1. ${third}`);
  await button(page, 'Drop the changes').click();
  await page.goto(`${page.url()}?at=tomorrow`);
  await page.getByRole('region', { name: 'Try it' }).waitFor();
  await page.waitForURL((url) => url.search === '');
}

/** Two people rename a rule each, and both names stay; a draft is published only as it was seen. */
async function draftSeen(browser, { base, service, page }) {
  const other = await newPage(browser, base);
  await enter(other, await service.link('johnson@demo.test', 'admin'));
  const openRules = (each) => button(each, 'Edit: Rules, in order').click();
  const rename = async (each, from, to) => {
    await each.getByRole('button', { name: new RegExp(`^\\d+\\. ${from}$`) }).click();
    await each.getByLabel('Name of the rule').fill(to);
  };
  const save = async (each) => {
    await button(each, 'Save the draft').click();
    await each.getByText('This is the draft.').waitFor();
  };
  for (const each of [page, other]) {
    await open(each, base, 'Inbound');
    await openRules(each);
  }
  await rename(page, 'Enterprise', 'Large firms');
  await rename(other, 'Europe', 'European Union');
  await save(page);
  expectStatuses(other, 412);
  await save(other);
  // In their order, in which they are asked.
  for (const rule of ['2. Large firms', '3. European Union']) await button(other, rule).waitFor();
  // The same rule: whoever comes second sees in words what each has made of it.
  await page.reload();
  await openRules(page);
  await rename(page, 'Large firms', 'Firms');
  await save(page);
  await rename(other, 'Large firms', 'Corporations');
  await button(other, 'Save the draft').click();
  const dialog = other.getByRole('dialog');
  await dialog.getByLabel('Theirs: Firms: name').waitFor();
  await dialog.getByLabel('Yours: Corporations: name').waitFor();
  await button(dialog, 'Save what is chosen').click();
  await dialog.waitFor({ state: 'detached' });

  // What is published is the draft that was seen, and not one that was changed meanwhile.
  await page.reload();
  await page.getByRole('link', { name: 'Review and publish' }).click();
  await page.getByText('Corporations').first().waitFor();
  await button(other, 'Edit: When nobody is available').click();
  await other.getByLabel('The backup user must be available, too').click();
  await save(other);
  await page.getByRole('link', { name: 'Route', exact: true }).click();
  await button(page, 'Edit: Whether an owner may be replaced').click();
  await page.getByLabel('Give the turn back within (minutes)').fill('45');
  expectStatuses(page, 412);
  await save(page);
  let release = await holdDifferences(page);
  const tried = page.waitForResponse((response) => response.url().includes('dry_run'));
  await page.getByRole('link', { name: 'Review and publish' }).click();
  await (await tried).finished();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const publish = button(page, 'Publish Inbound');
  if (await publish.isEnabled()) throw new Error('A draft can be published before it is seen');
  await release();
  await page.getByRole('row', { name: 'backup user must be available' }).waitFor();
  await publish.click();
  await page.getByRole('heading', { level: 2, name: 'Versions' }).waitFor();
  // The same of the way back.
  release = await holdDifferences(page);
  await page
    .getByRole('button', { name: /^Roll back to/ })
    .first()
    .click();
  const back = button(page.getByRole('dialog'), 'Roll back');
  await back.waitFor();
  if (await back.isEnabled()) throw new Error('A version can come back before it is seen');
  await release();
  await back.click();
  await page
    .getByText(/Rolled back to version/)
    .first()
    .waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  requireNoFault(page);
  requireNoFault(other);
  await other.context().close();
}

/**
 * Sees, before it is published, that nobody of a draft can get anything, and discards it. A viewer sees the draft
 * and has no control, there and on pages that are not for the role.
 */
async function draftWarned(browser, { base, service, page }) {
  await open(page, base, 'New companies');
  await button(page, 'Edit: Rules, in order').click();
  await button(page, '1. Large').click();
  for (const name of ['ada', 'grace', 'wu']) await button(page, `Remove ${name}@demo.test`).click();
  await page.getByText('Nobody is named here: only steps that name people are tried.').waitFor();
  await page.getByRole('combobox', { name: 'Add a person' }).first().fill('charles');
  await page.getByRole('option', { name: 'Charles Babbage' }).click();
  await button(page, 'Save the draft').click();
  await page.getByRole('link', { name: 'Review and publish' }).click();
  await page.getByText('Everybody is switched off in the pool of the rule Large').waitFor();

  const viewer = await newPage(browser, base);
  await enter(viewer, await service.link('claude@demo.test', 'viewer'));
  await open(viewer, base, 'New companies');
  await viewer.getByText('This is the draft.').waitFor();
  const review = viewer.getByRole('link', { name: 'Review and publish' });
  if ((await review.count()) > 0) throw new Error('A viewer is sent to publish');
  await viewer.goto(`${viewer.url()}/publish`);
  await viewer
    .getByRole('row', { name: /rules › Large/ })
    .first()
    .waitFor();
  if ((await viewer.getByRole('button', { name: /^Publish|^Discard/ }).count()) > 0)
    throw new Error('A viewer has a button that publishes or discards');
  for (const path of ['settings/members', 'settings', 'audit', 'health']) {
    await viewer.goto(base + path);
    await heading(viewer, 'Your role may not see this.');
  }
  requireNoFault(viewer);
  await viewer.context().close();

  await button(page, 'Discard the draft').click();
  await button(page.getByRole('dialog'), 'Discard the draft').click();
  await page.getByText('Nothing waits to be published').waitFor();
}

export const ROUTER_WALKS = {
  'routers are made, copied and archived': routersMade,
  'a form stays with its rule, and a tick is taken back': rulesEdited,
  'two admins rename rules, and publish what they have seen': draftSeen,
  'the warnings of a draft are shown before it is live': draftWarned,
};
