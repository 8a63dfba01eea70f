import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Queryable } from '../../database/index.js';
import { canonicalHost } from '../../fields/index.js';
import type { RouterEntity } from '../../routers/index.js';
import type { StoredRecord } from './stored-record.js';
import { DispatchRepository, type HostCompany } from '../transaction/dispatch.repository.js';
import { DOMAIN_KNOWLEDGE } from './domain-knowledge.js';
import { matchingHosts, type MatchedOwner } from '../../engine/index.js';

/** Finds the companies that contacts belong to, by the host of their e-mail address. */
@Injectable()
export class AccountMatcher {
  constructor(private readonly dispatches: DispatchRepository) {}

  /**
   * The company and its owner for each contact that has one, by contact; nothing unless the router matches accounts. A
   * subdomain belongs to the company of the nearest domain above it that has one; free-mail domains belong to none.
   */
  async match(
    db: Queryable,
    account: AccountContext,
    router: RouterEntity,
    records: readonly Pick<StoredRecord, 'id' | 'fields'>[],
  ): Promise<ReadonlyMap<string, MatchedOwner>> {
    if (router.settings?.['account_matching'] !== true) return new Map();
    const hosts = new Map(records.map(({ id, fields }) => [id, emailHosts(fields['email'])]));
    const wanted = new Set([...hosts.values()].flat());
    if (wanted.size === 0) return new Map();
    const found = await this.dispatches.findCompanies(db, account, [...wanted]);
    const companies = new Map(found.map((company) => [company.host, company]));
    return new Map(
      [...hosts].flatMap(([id, candidates]) => {
        const company = nearest(candidates, companies);
        if (company === undefined) return [];
        return [[id, { companyId: company.id, host: company.host, owner: company.owner }] as const];
      }),
    );
  }
}

function emailHosts(email: string | undefined): readonly string[] {
  const [, domain] = /@([^@]+)$/.exec(email ?? '') ?? [];
  const host = domain === undefined ? undefined : canonicalHost(domain);
  return host === undefined ? [] : matchingHosts(host, DOMAIN_KNOWLEDGE);
}

function nearest(
  hosts: readonly string[],
  companies: ReadonlyMap<string, HostCompany>,
): HostCompany | undefined {
  const host = hosts.find((each) => companies.has(each));
  return host === undefined ? undefined : companies.get(host);
}
