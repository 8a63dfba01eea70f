// A Chromium in which people walk through the console. Whatever a page does that it must not do fails the walk: an
// error in its own console, a report against its policy, a request that fails or goes elsewhere.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Whether there is a browser at all. */
export const hasBrowser = existsSync(CHROMIUM);

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const launch = () => chromium.launch({ executablePath: CHROMIUM, args: FLAGS });

/** Answers that a walk may cause on purpose, such as a 412; each page begins with none. */
const EXPECTED = new WeakMap();

/** From now on, answers with these statuses are part of the walk. */
export const expectStatuses = (page, ...statuses) => EXPECTED.set(page, statuses);

/**
 * Opens a page in a context of its own, as another person's browser would.
 * @param provider where people may be sent to sign in
 * @returns the page; `page.faults` has what it and other pages of the context did wrong
 */
export async function newPage(browser, base, { provider, ...options } = {}) {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  page.faults = [];
  const origins = [base, ...(provider === undefined ? [] : [provider])].map((url) => new URL(url).origin);
  const fault = (text) => page.faults.push(text);
  const isExpected = (status) => (EXPECTED.get(page) ?? []).includes(status);
  context.on('weberror', (event) => fault(`error: ${event.error().message}`));
  context.on('console', (message) => {
    // Chromium says so of every answer that is an error; what counts is below.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      fault(message.text());
  });
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (!origins.includes(origin) && protocol !== 'data:') fault(`request to ${request.url()}`);
  });
  context.on('response', (response) => {
    const status = response.status();
    if (status >= 400 && !isExpected(status))
      fault(`${status} of ${response.request().method()} ${response.url()}`);
  });
  // What is not saved is left behind.
  context.on('dialog', (dialog) => void dialog.accept());
  return page;
}

/** Throws what a page did wrong so far. */
export function requireNoFault(page) {
  const faults = page.faults.splice(0);
  if (faults.length > 0) throw new Error([...new Set(faults)].join('\n'));
}

/** Enters by a one-time link. */
export async function enter(page, link) {
  await page.goto(link);
  await page.getByRole('button', { name: 'Enter' }).click();
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
}

/** Presses Tab until what matches has the focus. @returns how many times */
export async function tabTo(page, locator, { most = 80, back = false } = {}) {
  for (let presses = 0; presses <= most; presses += 1) {
    if (await locator.evaluateAll((all) => all.includes(document.activeElement))) return presses;
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
  }
  const at = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
  throw new Error(`${most} times Tab do not lead to ${locator}; the focus is on ${at}`);
}
