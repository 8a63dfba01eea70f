import freeMail from 'email-providers/all.json';
import { getDomain } from 'tldts';
import type { DomainKnowledge } from '../../engine/index.js';

const FREE_MAIL: ReadonlySet<string> = new Set(freeMail);

/** Lists of domains from libraries: the public suffix list, and the free-mail domains. */
export const DOMAIN_KNOWLEDGE: DomainKnowledge = {
  registrableDomain: (host) => getDomain(host),
  isFreeMail: (domain) => FREE_MAIL.has(domain),
};
