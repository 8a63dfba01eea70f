// How people come in and go out: by the company's provider, and in the middle of an edit.
import { enter, expectStatuses, newPage, requireNoFault } from './browser.mjs';

const heading = (page, name) => page.getByRole('heading', { level: 1, name }).waitFor();
const button = (page, name) => page.getByRole('button', { name, exact: true });
const COMPANY = 'Sign in with your company account';

/** Leaves by the menu. */
async function signOut(page) {
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading(page, 'Sign in');
}

/** Ends the session of a page without its knowing. */
async function endSession(page, base) {
  const headers = { 'X-Fairlead-Console': '1', Origin: new URL(base).origin };
  const answer = await page.request.delete(`${base}session`, { headers });
  if (answer.status() !== 204) throw new Error(`The session was not ended: ${answer.status()}`);
}

/** Types into a field of a record. @returns the field */
async function editRecord(page, base, text) {
  await page.goto(`${base}records`);
  await page.locator('main a[href*="/records/contacts/"]').first().click();
  await button(page, 'Edit: Fields').click();
  const field = page.getByLabel('Job title');
  await field.fill(text);
  return field;
}

/** Saves what was typed before the session had ended. */
async function saveRecord(page, field, text) {
  if ((await field.inputValue()) !== text) throw new Error('What was typed is lost');
  await button(page, 'Save').click();
  await field.waitFor({ state: 'detached' });
  await page.reload();
  await page.locator('dd').getByText(text, { exact: true }).waitFor();
}

const ended = (page) => page.getByRole('dialog', { name: 'Your session has ended' });

/** The session ends while a form is open: its page keeps the form until the person is back, by a link in another tab. */
export async function endedByOthers(browser, { base, service }) {
  const page = await newPage(browser, base);
  const link = () => service.link('jackson@demo.test', 'admin');
  await enter(page, await link());
  const field = await editRecord(page, base, 'Captain');
  expectStatuses(page, 401);
  await endSession(page, base);
  await button(page, 'Save').click();
  await ended(page).waitFor();
  await button(ended(page), 'I have signed in').click();
  await ended(page).getByText('Not signed in yet').waitFor();
  const tab = await page.context().newPage();
  await enter(tab, await link());
  await ended(page).waitFor({ state: 'detached' });
  await saveRecord(page, field, 'Captain');

  // The same for an edit that another admin has changed a part of meanwhile: both stay.
  const other = await newPage(browser, base);
  await enter(other, await service.link('raman@demo.test', 'admin'));
  for (const each of [page, other]) {
    await each.goto(`${base}routers`);
    await each.getByRole('main').getByRole('link', { name: 'New companies', exact: true }).click();
    await button(each, 'Edit: When nobody is available').click();
  }
  await page.getByLabel(/When everybody is outside working hours/).click();
  await signOut(tab);
  await ended(page).waitFor();
  await other.getByLabel('The backup user must be available, too').click();
  await button(other, 'Save the draft').click();
  await other.getByText('This is the draft.').waitFor();
  await enter(tab, await link());
  await ended(page).waitFor({ state: 'detached' });
  // What is read anew shows that there is a draft now.
  await page.getByText('a draft waits').waitFor();
  expectStatuses(page, 401, 412);
  await button(page, 'Save the draft').click();
  await page.getByText('This is the draft.').waitFor();
  await page.reload();
  await button(page, 'Edit: When nobody is available').click();
  for (const label of [/When everybody is outside working hours/, 'The backup user must be available, too'])
    if (!(await page.getByLabel(label).isChecked())) throw new Error(`${label} is lost`);
  for (const each of [page, other]) {
    requireNoFault(each);
    await each.context().close();
  }
}

/** People come by the company's provider: it is away, knows somebody who is no member, and a member. */
export async function byProvider(browser, { base, service }) {
  const { issuer, start } = service.provider;
  const newPerson = () => newPage(browser, base, { provider: issuer });
  const page = await newPerson();
  await page.goto(`${base}people`);
  await page.getByRole('link', { name: COMPANY }).click();
  await page.getByText('Your company’s sign-in does not answer').waitFor();
  await enter(page, await service.link('ada@demo.test', 'admin'));
  await signOut(page);

  const claims = { sub: 's1', email: 'ada@demo.test', email_verified: true };
  let person = { sub: 's2', email: 'nobody@elsewhere.test', email_verified: true };
  const provider = await start(() => person);
  try {
    const stranger = await newPerson();
    await stranger.goto(`${base}people`);
    await stranger.getByRole('link', { name: COMPANY }).click();
    await stranger.getByText('No member of this console has your e-mail').waitFor();
    requireNoFault(stranger);
    await stranger.context().close();

    person = claims;
    await page.goto(`${base}assignments?view=day`);
    await page.getByRole('link', { name: COMPANY }).click();
    await heading(page, 'Assignments');
    if (page.url() !== `${base}assignments?view=day`) throw new Error(`The person came to ${page.url()}`);

    const field = await editRecord(page, base, 'Pilot');
    expectStatuses(page, 401);
    await endSession(page, base);
    await button(page, 'Save').click();
    const popup = page.waitForEvent('popup');
    await button(ended(page), 'Sign in in a new window').click();
    const small = await popup;
    if (!small.isClosed()) await small.waitForEvent('close');
    await ended(page).waitFor({ state: 'detached' });
    await saveRecord(page, field, 'Pilot');
    await signOut(page);
    await page.goto(`${base}people`);
    await heading(page, 'Sign in');
  } finally {
    await provider.stop();
  }
  requireNoFault(page);
  await page.context().close();
}
