// Every screen in both schemes and at three widths: what axe finds, what is wider than the window, and pictures.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expectStatuses } from './browser.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const WIDTHS = { 1280: 800, 768: 1024, 360: 740 };

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

/** How each screen is reached: its path, or what is done to see it. */
export const SCREENS = {
  today: '',
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
    await page.getByRole('button', { name: 'Edit' }).click();
  },
  ...Object.fromEntries(
    ['members', 'clients', 'teams', 'fields', 'capacities'].flatMap((section) => [
      [section, `settings/${section}`],
      [`a new one of ${section}`, `settings/${section}?edit=new`],
    ]),
  ),
  audit: 'audit',
  health: 'health',
  'no such page': 'no-such-page',
  'a record that is not there': async (page, base) => {
    expectStatuses(page, 404);
    await page.goto(`${base}records/contacts/nobody`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  },
  'the command menu': async (page, base) => {
    await page.goto(base);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('inb');
    await page.getByText('Inbound').last().waitFor();
  },
};

/** Shows a screen. @throws what is wrong with it, in any scheme and at any width */
export async function look(page, base, { name, pictures }) {
  const go = SCREENS[name];
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await (typeof go === 'string' ? page.goto(base + go) : go(page, base));
  await page.waitForLoadState('networkidle');
  await page.evaluate(AXE);
  const wrong = [];
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const [width, height] of Object.entries(WIDTHS)) {
      const where = `${colorScheme}, ${width} px`;
      await page.setViewportSize({ width: Number(width), height });
      await page.waitForFunction(
        (scheme) => document.documentElement.dataset.mantineColorScheme === scheme,
        colorScheme,
      );
      await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      const { wide, violations } = await page.evaluate(async (values) => {
        const found = await window.axe.run({ runOnly: { type: 'tag', values }, resultTypes: ['violations'] });
        return {
          wide: document.documentElement.scrollWidth - innerWidth,
          violations: found.violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' | ')}`,
          ),
        };
      }, RULES);
      if (wide > 0) wrong.push(`${where}: ${wide} px wider than the window`);
      wrong.push(...violations.map((violation) => `${where}: ${violation}`));
      if (pictures !== undefined) {
        mkdirSync(pictures, { recursive: true });
        const path = `${pictures}/${name.replaceAll(' ', '-')}-${colorScheme}-${width}.png`;
        await page.screenshot({ path, fullPage: true });
      }
    }
  }
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}
