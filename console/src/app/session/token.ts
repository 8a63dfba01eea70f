let token: string | null = null;

/**
 * Takes the token of a one-time link out of the address, before anything else runs: it stays in no history
 * and is sent nowhere but by the button of the page.
 */
export function takeToken(): void {
  if (!/\/enter$/.test(location.pathname) || location.hash.length < 2) return;
  token = location.hash.slice(1);
  history.replaceState(null, '', location.pathname + location.search);
}

export function takenToken(): string | null {
  return token;
}

export function forgetToken(): void {
  token = null;
}
