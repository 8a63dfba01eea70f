// Opens every page in Chromium: pictures to look at, what axe finds (WCAG 2.2 AA), errors of the page and of its policy.
//   node look/index.mjs http://localhost:3000/console/ <folder> [page …]
// The console must let in without a sign-in or by LINK, a one-time link. CHROMIUM: the browser, /usr/bin/chromium.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const [base, folder, ...only] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const WIDTHS = { 1280: 800, 768: 1024, 360: 740 };

/** A page: its path, or a function that finds it, and what is done there. */
const PAGES = {
  today: '',
  assignments: 'assignments',
  summary: 'assignments?view=user',
  days: 'assignments?view=day',
  filtered: 'assignments?assigned=false',
  nothing: 'assignments?user=nobody@example.test',
  assignment: first('assignments', 'a[href*="/assignments/"]'),
  people: 'people',
  person: first('people', 'a[href*="/people/"]'),
  hours: first('people', 'a[href*="/people/"]', 'hours'),
  absences: first('people', 'a[href*="/people/"]', 'absences'),
  limits: first('people', 'a[href*="/people/"]', 'limits'),
  missing: 'no-such-page',
  command: async (page) => {
    await page.goto(base);
    await page.getByRole('main').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ad');
    await page.waitForTimeout(800);
  },
};

function first(list, selector, edit) {
  return async (page) => {
    await page.goto(base + list);
    await page.locator(`main ${selector}`).first().click();
    await page.waitForLoadState('networkidle');
    if (edit !== undefined) await page.goto(`${page.url()}?edit=${edit}`);
  };
}

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
let problems = 0;
const report = (where, what) => {
  problems += 1;
  console.log(`${where}: ${what}`);
};
let storageState;
if (process.env.LINK !== undefined) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(process.env.LINK);
  await page.getByRole('button').first().click();
  await page.getByRole('navigation').first().waitFor();
  storageState = await context.storageState();
}
for (const colorScheme of ['light', 'dark']) {
  for (const [width, height] of Object.entries(WIDTHS)) {
    const viewport = { width: Number(width), height };
    const locale = process.env.LOCALE ?? 'en-GB';
    const context = await browser.newContext({
      colorScheme,
      viewport,
      locale,
      storageState,
      reducedMotion: 'reduce',
    });
    for (const [name, go] of Object.entries(PAGES)) {
      if (only.length > 0 && !only.includes(name)) continue;
      const where = `${name} ${colorScheme} ${width}`;
      const page = await context.newPage();
      page.setDefaultTimeout(8_000);
      page.on('console', (message) => message.type() === 'error' && report(where, message.text()));
      page.on('pageerror', (error) => report(where, error.message));
      try {
        await (typeof go === 'string' ? page.goto(base + go) : go(page));
        await page.waitForLoadState('networkidle');
        await page.waitForTimeout(150);
        await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png`, fullPage: true });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (wide > 0) report(where, `is ${wide} px wider than the window`);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(
          (values) => window.axe.run({ runOnly: { type: 'tag', values } }),
          RULES,
        );
        for (const { id, nodes } of violations) {
          report(
            where,
            `${id} ${nodes
              .map(({ target, any }) => `${target} ${any[0]?.message ?? ''}`)
              .slice(0, 2)
              .join(' | ')}`,
          );
        }
      } catch (error) {
        report(where, error.message.split('\n').slice(0, 3).join(' '));
      }
      await page.close();
    }
    await context.close();
  }
}
await browser.close();
console.log(`${problems} problems`);
process.exit(problems === 0 ? 0 : 1);
