// Opens a screen of the console, and says how long that took with and without the requests that it made.

/** In the page: goes to another screen, and waits until nothing has changed and nothing was asked for a while. */
async function goTo({ path, quiet }) {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const started = performance.now();
  const seen = { whole: started, longest: 0 };
  const tasks = new PerformanceObserver((list) => {
    const own = list.getEntries().filter(({ startTime }) => startTime >= started);
    seen.longest = Math.max(seen.longest, ...own.map(({ duration }) => duration));
  });
  tasks.observe({ type: 'longtask' });
  const changes = new MutationObserver(async () => {
    seen.whole = performance.now();
    await frame();
    await frame();
    seen.whole = performance.now();
  });
  changes.observe(document.querySelector('main'), { childList: true, subtree: true, characterData: true });
  history.pushState({}, '', path);
  dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  const isOwn = ({ initiatorType, startTime }) => initiatorType === 'fetch' && startTime >= started;
  const requests = () => performance.getEntriesByType('resource').filter(isOwn);
  const last = () => Math.max(seen.whole, ...requests().map(({ responseEnd }) => responseEnd));
  const isBusy = () =>
    window.pendingRequests > 0 || document.querySelector('main .mantine-Loader-root') !== null;
  while (performance.now() - last() < quiet || isBusy()) await new Promise((done) => setTimeout(done, 20));
  changes.disconnect();
  tasks.disconnect();
  // What is asked when the page stands, such as what can be chosen on it, keeps nobody waiting.
  const made = requests().filter(({ startTime }) => startTime < seen.whole);
  const all = (key) => made.map((each) => each[key]);
  const API = made.length === 0 ? 0 : Math.max(...all('responseEnd')) - Math.min(...all('startTime'));
  const whole = seen.whole - started;
  return {
    whole,
    API,
    beyond: whole - API,
    'longest task': seen.longest,
    requests: made.length,
    kB: all('encodedBodySize').reduce((sum, bytes) => sum + bytes, 0) / 1_000,
  };
}

/** In the page, before its own scripts: counts what is asked and not yet answered. */
function countRequests() {
  const { fetch } = window;
  window.pendingRequests = 0;
  performance.setResourceTimingBufferSize(5_000);
  window.fetch = (...args) => {
    window.pendingRequests += 1;
    return fetch(...args).finally(() => (window.pendingRequests -= 1));
  };
}

/** Prepares a page for visits. */
export const prepare = (page) => page.addInitScript(countRequests);

/** Goes to a screen from one without lists, which is loaded anew: nothing is kept of what was read before. */
export async function visit(page, base, path) {
  await page.goto(`${base}no-such-page`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  return page.evaluate(goTo, { path: new URL(path, base).href, quiet: 600 });
}

/** Types letters where the focus is. @returns milliseconds from each to the paint of what it changed */
export async function type(page, letters) {
  await page.evaluate(() => {
    window.interactions = new Map();
    new PerformanceObserver((list) => {
      for (const { interactionId: id, duration } of list.getEntries())
        if (id > 0) window.interactions.set(id, Math.max(duration, window.interactions.get(id) ?? 0));
    }).observe({ type: 'event', durationThreshold: 16 });
  });
  for (const letter of letters) {
    await page.keyboard.press(letter);
    await page.waitForTimeout(500);
  }
  const told = await page.evaluate(() => [...window.interactions.values()]);
  // Of what is painted within a frame nothing is told.
  return [...told, ...Array(Math.max(0, letters.length - told.length)).fill(16)];
}
