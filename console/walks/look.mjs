// How a screen is looked at: in both schemes at three widths, in forced colours, at 200 % zoom, with text of twice the
// size, and in a language with longer words. What axe finds, what is cut, wide or out of reach, and pictures.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { forgetPseudo, speakPseudo, words } from './pseudo.mjs';
import { SCREENS } from './screens.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 360, height: 740 };

/** Waits until a page has all that it shows: it has a heading, and asks for nothing more. Runs in the page, as all checks. */
async function settled() {
  const frame = () => new Promise(requestAnimationFrame);
  const isBusy = () => window.asked > 0 || document.querySelector('h1') === null;
  // What has come may ask for more once it is shown.
  for (let quiet = 0; quiet < 5; quiet += 1) {
    await frame();
    if (isBusy()) quiet = 0;
  }
}

/** Waits until a page is in a scheme, and stands still. */
async function shown(scheme) {
  const frame = () => new Promise(requestAnimationFrame);
  while (document.documentElement.dataset.mantineColorScheme !== scheme) await frame();
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  await frame();
  await frame();
}

/** @returns what axe finds in a page. */
async function faults(values) {
  const { violations } = await window.axe.run({
    runOnly: { type: 'tag', values },
    resultTypes: ['violations'],
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' | ')}`);
}

/** @returns by how much a page is wider than its window, and texts that are cut and said nowhere in full */
function cut() {
  const wide = document.documentElement.scrollWidth - innerWidth;
  const found = wide > 0 ? [`${wide} px wider than the window`] : [];
  for (const element of document.body.querySelectorAll('*')) {
    const { overflowX, overflowY, clipPath } = getComputedStyle(element);
    const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
    const isCut =
      (hides(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
      (hides(overflowY) && element.scrollHeight > element.clientHeight + 1);
    // Of no size, or clipped: only for those who hear it.
    if (!isCut || clipPath !== 'none' || element.clientWidth < 2 || !element.checkVisibility()) continue;
    const text = element.textContent.trim();
    if (text !== '' && element.closest('[title]') === null) found.push(`cut: ${element.className}: ${text}`);
  }
  return found;
}

/** @returns controls that cannot be brought into the window, or are under something when they have the focus */
function unreachable() {
  const scope = [...document.querySelectorAll('[role=dialog]')].at(-1) ?? document;
  const found = [];
  for (const control of scope.querySelectorAll('a[href], button, input, textarea, summary, [tabindex="0"]')) {
    if (control.disabled || control.tabIndex < 0 || !control.checkVisibility({ visibilityProperty: true }))
      continue;
    control.focus();
    // Of a link in two lines, the first one.
    const [{ left, right, top, bottom } = {}] = control.getClientRects();
    const middle = (from, to, size) => (Math.max(from, 0) + Math.min(to, size)) / 2;
    const at = document.elementFromPoint(middle(left, right, innerWidth), middle(top, bottom, innerHeight));
    const owners = [control, ...(control.labels ?? [])];
    const isSeen = left >= -1 && right <= innerWidth + 1 && owners.some((owner) => owner.contains(at));
    if (!isSeen)
      found.push(`out of reach: ${control.outerHTML.slice(0, 200)} under ${at?.outerHTML.slice(0, 100)}`);
  }
  return found;
}

const axe = { check: faults, given: RULES };
const VIEWS = [
  ...['light', 'dark'].flatMap((colorScheme) =>
    [WIDE, { width: 768, height: 1024 }, NARROW].map((size) => ({
      name: `${colorScheme}-${size.width}`,
      size,
      media: { colorScheme },
      checks: [axe],
    })),
  ),
  { name: 'forced-colours', media: { forcedColors: 'active' }, checks: [axe] },
  { name: 'text-200', fontSize: 32 },
  // 1280 px at 200 %.
  { name: 'zoom-200', size: { width: 640, height: 400 }, checks: [{ check: unreachable }] },
  { name: 'pseudo-1280', pseudo: true, checks: [words] },
  { name: 'pseudo-360', pseudo: true, size: NARROW },
];

/** Changes how a page is shown, and waits until it is. */
async function show(page, { size = WIDE, media = {}, fontSize = 16, browser }) {
  const { colorScheme = 'light', forcedColors = 'none' } = media;
  await page.emulateMedia({ colorScheme, forcedColors, reducedMotion: 'reduce' });
  const { width, height } = page.viewportSize();
  if (width !== size.width || height !== size.height) await page.setViewportSize(size);
  // As the setting of a browser does it: what the page says in em and rem follows.
  await browser.send('Page.setFontSizes', { fontSizes: { standard: fontSize } });
  await page.evaluate(shown, colorScheme);
}

/** Looks at a screen in every way. @throws what is wrong with it */
export async function look(page, base, { name, pictures }) {
  const go = SCREENS[name];
  const open = async () => {
    await (typeof go === 'string' ? page.goto(base + go) : go(page, base));
    await page.evaluate(settled);
  };
  const browser = await page.context().newCDPSession(page);
  const wrong = [];
  try {
    await show(page, { browser });
    await open();
    await page.evaluate(AXE);
    let isPseudo = false;
    for (const { name: view, pseudo = false, checks = [], ...how } of VIEWS) {
      if (pseudo && !isPseudo) await speakPseudo(page, open);
      isPseudo = pseudo;
      await show(page, { browser, ...how });
      if (pictures !== undefined) {
        mkdirSync(pictures, { recursive: true });
        const path = `${pictures}/${name.replaceAll(/[ :/]+/g, '-')}-${view}.png`;
        await page.screenshot({ path, fullPage: true });
      }
      for (const { check, given } of [{ check: cut }, ...checks])
        wrong.push(...(await page.evaluate(check, given)).map((fault) => `${view}: ${fault}`));
    }
  } finally {
    await forgetPseudo(page);
    await page.unrouteAll();
    await browser.detach();
  }
  if (wrong.length > 0) throw new Error([...new Set(wrong)].join('\n'));
}
