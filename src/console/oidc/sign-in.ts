/** A sign-in that is under way at the provider. The browser that has begun it keeps it in a cookie. */
export interface SignIn {
  readonly state: string;
  readonly nonce: string;
  /** That of PKCE. */
  readonly verifier: string;
  /** The page of the console that opens afterwards. */
  readonly path: string;
}

/** The first page of the console. */
export const HOME = '/console/';

/** Most characters of the path that a cookie keeps: browsers drop cookies of more than 4,096 bytes. */
const MOST_KEPT = 2_000;

/** Returns a page of the console, as a path of the service; undefined for what is none, such as a site. */
export function consolePage(text: string): string | undefined {
  const url = URL.canParse(text, 'http://service') ? new URL(text, 'http://service') : undefined;
  if (!text.startsWith(HOME) || url?.origin !== 'http://service') return undefined;
  return url.pathname.startsWith(HOME) ? `${url.pathname}${url.search}${url.hash}` : undefined;
}

/** Returns a sign-in as its cookie has it: characters of base64url. */
export function cookieOfSignIn({ state, nonce, verifier, path }: SignIn): string {
  const kept = path.length > MOST_KEPT ? HOME : path;
  return Buffer.from(JSON.stringify([state, nonce, verifier, kept])).toString('base64url');
}

/** Reads the cookie of a sign-in; undefined for what is none. */
export function signInOfCookie(cookie: string): SignIn | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cookie, 'base64url').toString());
    if (!Array.isArray(parts) || !parts.every((part) => typeof part === 'string')) return undefined;
    const [state = '', nonce = '', verifier = '', path = ''] = parts;
    return { state, nonce, verifier, path: consolePage(path) ?? HOME };
  } catch {
    return undefined;
  }
}
