/** Knowledge about domain names, given by libraries with the public suffix list. */
export interface DomainKnowledge {
  /** The registrable domain of a host, such as `acme.co.uk` of `mail.acme.co.uk`; null where it has none. */
  readonly registrableDomain: (host: string) => string | null;
  /** Whether the domain gives addresses to everyone, such as `gmail.com`. */
  readonly isFreeMail: (domain: string) => boolean;
}

/**
 * The hosts that the company of an e-mail domain may have, from most to least specific: for
 * `mail.emea.acme.com` itself, `emea.acme.com` and `acme.com`, never a public suffix such as `co.uk`. Empty
 * for a free-mail domain, whose users belong to no common company, and for text that is no domain.
 *
 * @param emailDomain the part of an address after its @, in its ASCII form
 */
export function matchingHosts(emailDomain: string, knowledge: DomainKnowledge): readonly string[] {
  const domain = emailDomain.trim().toLowerCase().replace(/\.$/, '');
  const registrable = domain === '' ? null : knowledge.registrableDomain(domain);
  if (registrable === null || registrable === '') return [];
  if (domain !== registrable && !domain.endsWith(`.${registrable}`)) return [];
  const labels = domain.split('.');
  const depth = labels.length - registrable.split('.').length;
  const hosts = Array.from({ length: depth + 1 }, (_, index) => labels.slice(index).join('.'));
  return hosts.some(knowledge.isFreeMail) ? [] : hosts;
}
