/** Most characters that are read. A host of 253 ASCII characters is never written longer. */
const MAX_WRITTEN_LENGTH = 2048;
const MAX_HOST_LENGTH = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const FOUR_NUMBERS = /^\d+\.\d+\.\d+\.\d+$/;

/**
 * Returns the host of a web address in the spelling that clause 2.6 stores and clause 2.8 compares: lower
 * case, IDN in its ASCII form, without scheme, credentials, port, path, query, fragment, trailing dot or
 * leading `www.`. Idempotent.
 *
 * Accepts `Host.com`, `//host.com/path`, `any-scheme://user@host.com:8080/path`, IPv4 as four decimal octets,
 * IPv6 in brackets. Returns undefined for names without a dot, e-mail addresses, and addresses such as
 * `mailto:a@b.c`.
 */
export function canonicalHost(text: string): string | undefined {
  const written = writtenHost(text.trim());
  if (written === undefined) return undefined;
  const parsed = parseHost(written);
  if (parsed === undefined || parsed.startsWith('[')) return parsed;
  const host = withoutWww(parsed.replace(/\.$/, ''));
  // The URL parser also reads 2130706433, 0x7f.1 and 127.1 as IPv4 addresses; these are refused.
  if (FOUR_NUMBERS.test(host) && host !== written.replace(/\.?(?::\d*)?$/, '')) return undefined;
  return isHostName(host) ? host : undefined;
}

/** Returns host and port as written: the text after scheme and credentials, before the path. */
function writtenHost(text: string): string | undefined {
  const prefix = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i.exec(text)?.[0];
  const authority = /^[^/\\?#]*/.exec(text.slice(prefix?.length ?? 0))?.[0] ?? '';
  // Without a scheme, `a@b.com` is an e-mail address, not a host with credentials.
  if (prefix === undefined && authority.includes('@')) return undefined;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  // The URL parser drops tabs and line breaks without an error.
  return host === '' || host.length > MAX_WRITTEN_LENGTH || /[\s\p{Cc}]/u.test(host) ? undefined : host;
}

function parseHost(written: string): string | undefined {
  try {
    return new URL(`http://${written}/`).hostname;
  } catch {
    return undefined;
  }
}

/** Removes leading `www.` while the rest contains a dot: `www.com` is a domain itself. */
function withoutWww(host: string): string {
  let rest = host;
  while (rest.startsWith('www.') && rest.includes('.', 4)) rest = rest.slice(4);
  return rest;
}

function isHostName(host: string): boolean {
  const labels = host.split('.');
  return labels.length > 1 && host.length <= MAX_HOST_LENGTH && labels.every((label) => LABEL.test(label));
}
