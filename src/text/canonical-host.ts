import { toASCII } from 'tr46';

/** Most characters that are read. A host of 253 ASCII characters is never written longer. */
const MAX_WRITTEN_LENGTH = 2048;
const MAX_HOST_LENGTH = 253;
const MAX_PORT = 65_535;
/** Most characters of a label that is not ASCII: one of 63 is never written longer. Punycode is quadratic. */
const MAX_WRITTEN_LABEL = 4 * 63;
const DOTS = /[.\u3002\uFF0E\uFF61]/;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const PLAIN_ASCII = /^[\x21-\x7e]*$/;
/** What the URL standard takes for an IPv4 address, in whatever spelling. */
const ENDS_IN_NUMBER = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/;
const OCTET = '(?:0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5])';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);

/** Those with which the URL standard calls it. */
const IDNA = { checkBidi: true, checkJoiners: true } as const;

/**
 * Returns the host of a web address in the spelling that clause 2.6 stores and clause 2.8 compares: lower
 * case, IDN in its ASCII form, without scheme, credentials, port, path, query, fragment, trailing dot or
 * leading `www.`. Idempotent.
 *
 * Accepts `Host.com`, `//host.com/path`, `any-scheme://user@host.com:8080/path`, IPv4 as four decimal octets,
 * IPv6 in brackets. Returns undefined for names without a dot, e-mail addresses, and addresses such as
 * `mailto:a@b.c`.
 *
 * Being part of unique keys, it must not depend on the version of Node.js, as its URL parser does, to which
 * `ẞ.com` is `ss.com` or `xn--zca.com`. The tables are those of the library, of Unicode 16, which all
 * supported versions know: the library leaves normalization to Node.js. What was stored with the URL parser
 * stays. It is ASCII, most of it reduces to itself, and nothing tells what had been written.
 */
export function canonicalHost(text: string): string | undefined {
  const written = writtenHost(text.trim());
  if (written === undefined) return undefined;
  if (written.startsWith('[')) return ipv6Host(written);
  const parts = /^([^:]*)(?::(\d*))?$/.exec(written);
  if (parts === null || Number(parts[2] ?? '') > MAX_PORT) return undefined;
  const decoded = percentDecoded(parts[1] ?? '');
  const host = decoded === undefined ? undefined : asciiHost(decoded)?.replace(/\.$/, '');
  if (host === undefined) return undefined;
  // The URL standard also reads 2130706433, 0x7f.1 and 127.1 as IPv4 addresses; these are refused.
  if (ENDS_IN_NUMBER.test(host))
    return IPV4.test(host) && parts[1]?.replace(/\.$/, '') === host ? host : undefined;
  const name = withoutWww(host);
  return isHostName(name) ? name : undefined;
}

/** Returns host and port as written: the text after scheme and credentials, before the path. */
function writtenHost(text: string): string | undefined {
  const prefix = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i.exec(text)?.[0];
  const authority = /^[^/\\?#]*/.exec(text.slice(prefix?.length ?? 0))?.[0] ?? '';
  // Without a scheme, `a@b.com` is an e-mail address, not a host with credentials.
  if (prefix === undefined && authority.includes('@')) return undefined;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return host === '' || host.length > MAX_WRITTEN_LENGTH || /[\s\p{Cc}]/u.test(host) ? undefined : host;
}

/** Returns the shortest spelling of an IPv6 address in brackets. All versions read ASCII the same. */
function ipv6Host(written: string): string | undefined {
  if (!PLAIN_ASCII.test(written)) return undefined;
  try {
    return new URL(`http://${written}/`).hostname;
  } catch {
    return undefined;
  }
}

/** Returns a host in lower case and ASCII, as the URL standard does; undefined where it cannot be one. */
export function asciiHost(host: string): string | undefined {
  const lower = PLAIN_ASCII.test(host) ? host.toLowerCase() : undefined;
  if (lower !== undefined && !/(?:^|\.)xn--/.test(lower)) return lower;
  if (host.length > MAX_WRITTEN_LENGTH) return undefined;
  if (host.split(DOTS).some((label) => label.length > MAX_WRITTEN_LABEL)) return undefined;
  return toASCII(host, IDNA) ?? undefined;
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
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
