/** What the rules of domain names are asked of; libraries that know the public suffix list answer. */
export interface DomainKnowledge {
  /** The registrable domain of a host, such as `acme.co.uk` of `mail.acme.co.uk`; null where it has none. */
  readonly registrableDomain: (host: string) => string | null;
  /** Whether everyone can get an address at a domain, such as `gmail.com`. */
  readonly isFreeMail: (domain: string) => boolean;
}

/**
 * The hosts under which the company of an e-mail domain may be known, from most to least specific: of
 * `mail.emea.acme.com` itself, `emea.acme.com` and `acme.com`, never a public suffix such as `co.uk`. None for free-mail
 * domains, whose users have nothing in common, nor for what is no domain.
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
