import { Injectable } from '@nestjs/common';
import freeMail from 'email-providers/all.json';
import { getDomain } from 'tldts';
import type { Queryable } from '../../database/index.js';
import type { MatchedOwner } from '../../engine/index.js';
import { OwnedRecordsRepository, type StoredRecord } from '../../records/index.js';
import { canonicalHost } from '../../text/canonical-host.js';
import type { RouterSnapshot } from '../snapshot/router-snapshots.js';

const FREE_MAIL: ReadonlySet<string> = new Set(freeMail);

/** Finds the companies that contacts belong to, by the host of their e-mail address. */
@Injectable()
export class AccountMatcher {
  constructor(private readonly owned: OwnedRecordsRepository) {}

  /**
   * Returns the company and its owner for each contact that has one, by contact: of the routers that match
   * accounts, with one statement. A contact at a subdomain belongs to the company of the nearest domain above
   * it that has one. Free-mail domains belong to no company.
   */
  async match(
    db: Queryable,
    routers: readonly { readonly snapshot: RouterSnapshot; readonly records: readonly StoredRecord[] }[],
  ): Promise<ReadonlyMap<string, MatchedOwner>> {
    const matching = routers.filter(({ snapshot }) => snapshot.matchesAccounts);
    const [first] = matching;
    if (first === undefined) return new Map();
    const { account, directory } = first.snapshot;
    const contacts = matching.flatMap(({ records }) => records);
    const hosts = new Map(contacts.map(({ id, fields }) => [id, emailHosts(fields['email'])]));
    const keys = [...new Set([...hosts.values()].flat())];
    if (keys.length === 0) return new Map();
    const found = await this.owned.findByKey(db, account, { objectType: 'companies', keys });
    const companies = new Map(found.map((company) => [company.key, company]));
    return new Map(
      [...hosts].flatMap(([id, candidates]) => {
        const company = companies.get(candidates.find((host) => companies.has(host)) ?? '');
        if (company === undefined) return [];
        const owner = company.owner === null ? null : directory.names.emailOf(company.owner);
        return [[id, { companyId: company.id, host: company.key, owner }] as const];
      }),
    );
  }
}

/**
 * The hosts that the company of an e-mail address may have, from most to least specific: for
 * `mail.emea.acme.com` itself, `emea.acme.com` and `acme.com`, never a public suffix such as `co.uk`. Empty
 * for a free-mail domain, whose users belong to no common company, and for text that is no address.
 */
function emailHosts(email: string | undefined): readonly string[] {
  const [, domain = ''] = /@([^@]+)$/.exec(email ?? '') ?? [];
  const host = canonicalHost(domain);
  const registrable = host === undefined ? null : getDomain(host);
  if (host === undefined || registrable === null) return [];
  const labels = host.split('.');
  const depth = labels.length - registrable.split('.').length;
  const hosts = Array.from({ length: depth + 1 }, (_, index) => labels.slice(index).join('.'));
  return hosts.some((each) => FREE_MAIL.has(each)) ? [] : hosts;
}
