// A language for walks alone: the English words with an accent on every letter, two fifths longer. It takes the place
// of the German words, so the console knows nothing of it. What is shown without accents and is no data has no words.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ASSETS = fileURLToPath(new URL('../../dist/console/assets/', import.meta.url));
const ENGLISH = readdirSync(ASSETS).find(
  (name) => /^en-.*\.js$/.test(name) && readFileSync(ASSETS + name, 'utf8').includes(' as default'),
);

/** Runs in the page. */
function stretched(text) {
  const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const accented = [...'áƀćđéƒǵĥíĵķĺḿńóṕɋŕśťúṽŵẋýźÁɃĆĐÉƑǴĤÍĴĶĹḾŃÓṔɊŔŚŤÚṼŴẊÝŹ'];
  let letters = 0;
  return text.replace(/\{\{[^}]*\}\}|[A-Za-z]/g, (found) => {
    if (found.length > 1) return found;
    letters += 1;
    return accented[plain.indexOf(found)].repeat([1, 2, 1, 2, 1][letters % 5]);
  });
}

/**
 * Runs in every page before it does: what `Intl` writes is words, too, and what the API answers is data. `asked` is how
 * many answers are waited for.
 */
function prepare(stretched) {
  for (const { prototype } of [Intl.DateTimeFormat, Intl.ListFormat, Intl.RelativeTimeFormat]) {
    const { get, value } = Object.getOwnPropertyDescriptor(prototype, 'format');
    const format = function () {
      const isOurs = this.resolvedOptions().locale.startsWith('de');
      const write = get?.call(this) ?? value.bind(this);
      return isOurs ? (...args) => stretched(write(...args)) : write;
    };
    Object.defineProperty(prototype, 'format', { get: format });
  }
  window.answered = [];
  window.asked = 0;
  const { fetch } = window;
  window.fetch = async (...request) => {
    window.asked += 1;
    try {
      const answer = await fetch(...request);
      const body = await answer.clone().text();
      if (body.startsWith('{')) window.answered.push(JSON.parse(body));
      return answer;
    } finally {
      window.asked -= 1;
    }
  };
}

/** Lets the pages of a context speak it. */
export const teach = (context) => context.addInitScript(`(${prepare})(${stretched})`);

/** Changes the language of a page, without a load where it has a menu for that. @param open shows the page anew */
export async function speakPseudo(page, open) {
  const words = /\/assets\/de-[^/]*\.js$/;
  const body = `import words from './${ENGLISH}';
    const all = (node) => typeof node === 'string' ? (${stretched})(node)
      : Object.fromEntries(Object.entries(node).map(([key, child]) => [key, all(child)]));
    export default all(words);`;
  await page.route(words, (route) => route.fulfill({ contentType: 'text/javascript', body }));
  const menu = page.locator('header button[aria-haspopup=menu]');
  if ((await menu.count()) > 0) {
    // A dialog may be over it, and must stay open.
    await menu.evaluate((button) => button.click());
    await page.locator('[role=menuitemradio][lang=de]').evaluate((item) => item.click());
    await menu.evaluate((button) => button.click());
    await page.locator('[role=menu]').waitFor({ state: 'detached' });
  } else {
    await page.evaluate(() => localStorage.setItem('fairlead.language', 'de'));
    // Where only what follows the # is another, nothing is loaded.
    await page.goto('about:blank');
    await open();
  }
  await page.waitForFunction(() => document.documentElement.lang === 'de');
  await page.unroute(words);
}

/** The next load is in English again. */
export const forgetPseudo = (page) => page.evaluate(() => localStorage.setItem('fairlead.language', 'en'));

/** Keys of the API whose values are codes: these have words. */
const CODES =
  'action because checks field kind model object_type operator outcome reason role step type'.split(' ');

/** @returns the texts of a page that are neither words nor data. Runs in the page. */
function untranslated(codes) {
  const data = new Set();
  const add = (value) => {
    if (Array.isArray(value)) value.forEach(add);
    else if (typeof value === 'object' && value !== null)
      for (const [key, child] of Object.entries(value)) if (!codes.includes(key)) add(child);
    if (typeof value !== 'string') return;
    // An id is shown by its last eight characters, which may begin in the middle of letters.
    const shown = /^[0-9a-f-]{36}$/.test(value) ? `${value} ${value.slice(-8)}` : value;
    for (const word of shown.match(/[A-Za-z_]+/g) ?? []) data.add(word);
  };
  // What the API has answered, the address, what is typed, and the zone of the browser.
  const typed = [...document.querySelectorAll('input, textarea')].map(({ value }) => value);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  add([...window.answered, decodeURIComponent(location.href), typed, timeZone]);
  const isWord = (text) => (text.match(/[A-Za-z_]+/g) ?? []).every((word) => data.has(word));
  const found = new Set();
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest('code, kbd, pre, script, style') !== null || !element.checkVisibility()) continue;
    const texts = [...element.childNodes].flatMap((node) =>
      node.nodeType === Node.TEXT_NODE ? node.data : [],
    );
    const said = ['aria-label', 'placeholder', 'title', 'alt'].map(
      (name) => element.getAttribute(name) ?? '',
    );
    for (const text of [...texts, ...said]) if (!isWord(text)) found.add(`not translated: ${text.trim()}`);
  }
  return [...found];
}

export const words = { check: untranslated, given: CODES };
