// What each person comes for, by mouse: the walks of the test plan.
import { enter, expectStatuses, newPage, requireNoFault } from './browser.mjs';

const heading = (page, name) => page.getByRole('heading', { level: 1, name }).waitFor();
const button = (page, name) => page.getByRole('button', { name, exact: true });
const link = (page, name) => page.getByRole('main').getByRole('link', { name, exact: true });
const go = async (page, name) => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
  await heading(page, name === 'Settings' ? 'Members' : name);
};

/** Invites a colleague, who enters and is signed out; adds a rule, tries it before it is saved, publishes it, and rolls it back. */
export async function admin(browser, { base, page }) {
  await go(page, 'Settings');
  await heading(page, 'Members');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill('grace@demo.test');
  await dialog.getByRole('combobox', { name: 'Role' }).or(dialog.getByLabel('Role')).first().click();
  await page.getByRole('option', { name: 'Manager' }).click();
  await button(dialog, 'Save').click();
  const shown = await page.getByText('/console/enter#').textContent();
  const colleague = await newPage(browser, base);
  await enter(colleague, shown.replace(/^http:\/\/[^/]+/, new URL(base).origin));
  await colleague.getByText('Settings', { exact: true }).waitFor({ state: 'detached' });
  await button(page, 'Sign out grace@demo.test').click();
  await button(page.getByRole('dialog'), 'Sign out').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expectStatuses(colleague, 401);
  await colleague.bringToFront();
  await colleague.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  requireNoFault(colleague);
  await colleague.context().close();

  await go(page, 'Routers');
  await link(page, 'Inbound').click();
  await heading(page, 'Inbound');
  await button(page, 'Edit: Rules, in order').click();
  await button(page, 'Add a rule').click();
  await page.getByLabel('Name of the rule').fill('Nordics');
  // While a condition has no value yet, it cannot be tried.
  expectStatuses(page, 400);
  await button(page, 'Add a condition').click();
  await page.getByRole('combobox', { name: 'Field', exact: true }).click();
  await page.getByRole('option', { name: 'Country' }).click();
  await page.getByLabel('Value', { exact: true }).fill('NO');
  await page.getByRole('combobox', { name: 'Add a person' }).last().fill('wu');
  await page.getByRole('option', { name: 'Chien-Shiung Wu' }).click();
  for (let place = 6; place > 1; place -= 1) await button(page, 'Move Nordics up').click();
  const panel = page.getByRole('region', { name: 'Try it' });
  await panel.getByLabel('Country').fill('NO');
  await panel
    .getByText('This page, not saved')
    .or(panel.locator('input[value="This page, not saved"]'))
    .first()
    .waitFor();
  await panel.getByText('Chien-Shiung Wu').first().waitFor();
  await button(page, 'Save the draft').click();
  await page.getByText('This is the draft.').waitFor();
  await link(page, 'Review and publish').click();
  await page.getByText('Nordics').first().waitFor();
  await page.getByLabel('Note').fill('Norway has somebody');
  await button(page, 'Publish Inbound').click();
  await page.getByRole('cell', { name: 'Norway has somebody' }).waitFor();
  await button(page, 'Roll back to 1').click();
  await button(page.getByRole('dialog'), 'Roll back').click();
  await page.getByRole('cell', { name: 'Rolled back to version 1' }).waitFor();
  await go(page, 'Audit');
  await page.getByText('rolled back').first().waitFor();
}

/** Sees why one person got a record and another did not, switches somebody off, finds a leaver's records, and dispatches one. */
export async function manager(browser, { base, service }) {
  const page = await newPage(browser, base);
  await enter(page, await service.link('katherine@demo.test', 'manager'));
  await page.goto(`${base}assignments?reason=round_robin`);
  await page.locator('main a[href*="/assignments/"]').first().click();
  await page.getByRole('heading', { name: 'Who is available' }).first().waitFor();
  await go(page, 'People');
  await heading(page, 'People');
  await page.getByRole('switch', { name: /Alan Turing/ }).focus();
  await page.keyboard.press('Space');
  await page
    .getByRole('row', { name: /Alan Turing/ })
    .getByText(/switched off/i)
    .first()
    .waitFor();
  await link(page, 'Alan Turing').click();
  await heading(page, 'Alan Turing');
  await page.locator('main a[href*="/records?"]').first().click();
  await heading(page, 'Records');
  await page.goto(`${base}records?type=deals`);
  await page.locator('main a[href*="/records/deals/"]').first().click();
  await page.getByRole('combobox', { name: 'Router' }).click();
  await page.getByRole('option', { name: 'Deal desk' }).click();
  await page.getByText('Now it would be').waitFor();
  await button(page, 'Dispatch').click();
  await page.getByRole('status').getByRole('link', { name: 'Why' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  requireNoFault(page);
  await page.context().close();
}

/** Sees everything and no control that the role may not use. */
export async function viewer(browser, { base, service }) {
  const page = await newPage(browser, base);
  await enter(page, await service.link('claude@demo.test', 'viewer'));
  await go(page, 'Routers');
  await link(page, 'Inbound').click();
  await heading(page, 'Inbound');
  await page.getByText('Rules, in order').waitFor();
  for (const name of [/^Edit/, 'Archive', 'Unpublish', 'Dispatch'])
    if ((await page.getByRole('button', { name }).count()) > 0)
      throw new Error(`A viewer has the button ${name}`);
  for (const path of ['people', 'records', 'assignments']) {
    await page.goto(base + path);
    await page.locator('main a').first().waitFor();
  }
  requireNoFault(page);
  await page.context().close();
}

/** Sees that the database is gone, and that it is back. */
export async function operator(_, { page, outage }) {
  await go(page, 'Health');
  await seeOutage(page, outage);
}

/** Looks at Health while the database is away, and until it is back. */
export async function seeOutage(page, outage) {
  await page.getByText('The service and its database answer').last().waitFor();
  expectStatuses(page, 503, 500);
  await outage.begin();
  await page.getByText('cannot reach its database').last().waitFor({ timeout: 40_000 });
  await outage.end();
  await page.getByText('The service and its database answer').last().waitFor({ timeout: 40_000 });
}

/** Two admins change one draft at a time: the second sees both versions, and loses nothing. */
export async function twoAdmins(browser, { base, service, page }) {
  const other = await newPage(browser, base);
  await enter(other, await service.link('jackson@demo.test', 'admin'));
  for (const each of [page, other]) {
    await go(each, 'Routers');
    await link(each, 'Support').click();
    await button(each, 'Edit: When nobody is available').click();
  }
  await page.getByLabel('The backup user must be available, too').click();
  await button(page, 'Save the draft').click();
  await page.getByText('This is the draft.').waitFor();
  // Another setting of the same draft: both stay.
  expectStatuses(other, 412);
  await other.getByLabel(/When everybody is outside working hours/).click();
  await button(other, 'Save the draft').click();
  await other.getByText('This is the draft.').waitFor();
  await other.getByText('if available').waitFor();
  // The same setting: whoever comes second sees both, and chooses.
  const minutes = async (each, value) => {
    await button(each, 'Edit: Whether an owner may be replaced').click();
    await each.getByLabel('Give the turn back within (minutes)').fill(value);
  };
  await page.reload();
  await minutes(page, '5');
  await minutes(other, '10');
  await button(page, 'Save the draft').click();
  await page.getByText(/^Not saved:/).waitFor({ state: 'detached' });
  await button(other, 'Save the draft').click();
  await other.getByRole('dialog').getByLabel('Theirs: 5').waitFor();
  await other.getByRole('dialog').getByLabel('Yours: 10').waitFor();
  await button(other.getByRole('dialog'), 'Save what is chosen').click();
  await other.getByText('within 10 minutes').waitFor();
  requireNoFault(other);
  await other.context().close();
}

/** Adds a person, who is archived again; of one who has records, the refusal says where they are named. */
export async function leaver(_, { page }) {
  await go(page, 'People');
  await button(page, 'New person').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill('emmy@demo.test');
  await dialog.getByLabel('Name').fill('Emmy Noether');
  await button(dialog, 'Save').click();
  await heading(page, 'Emmy Noether');
  await button(page, 'Archive').click();
  await button(page.getByRole('dialog'), 'Archive').click();
  await page.getByText('Archived', { exact: false }).first().waitFor();
  await go(page, 'People');
  await link(page, 'Ada Lovelace').click();
  await heading(page, 'Ada Lovelace');
  expectStatuses(page, 409);
  await button(page, 'Archive').click();
  await button(page.getByRole('dialog'), 'Archive').click();
  await page.getByRole('dialog').getByRole('link', { name: 'Inbound' }).waitFor();
  await page.keyboard.press('Escape');
}
