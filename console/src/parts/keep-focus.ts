/** Does what may take a control off the page. The focus then goes to the control behind it. */
export function keepFocus(control: HTMLElement, act: () => void): void {
  const root = control.closest('form, main') ?? document.body;
  const all = [...root.querySelectorAll<HTMLElement>('button, input, textarea, a[href]')];
  const here = all.indexOf(control);
  const others = [...all.slice(here + 1), ...all.slice(0, here).reverse()];
  const observer = new MutationObserver(() => {
    if (control.isConnected) return;
    observer.disconnect();
    others.find((other) => other.isConnected)?.focus();
  });
  observer.observe(root, { childList: true, subtree: true });
  // What it does may take a moment, or leave the control where it is.
  setTimeout(() => observer.disconnect(), 2_000);
  act();
}
