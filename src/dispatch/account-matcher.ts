import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import type { Queryable } from '../database/index.js';
import { canonicalHost } from '../fields/index.js';
import type { RouterEntity } from '../routers/index.js';
import type { DispatchRecord } from './dispatch-record.js';
import { DispatchRepository } from './dispatch.repository.js';
import type { MatchedOwner } from './engine/index.js';

/** Finds the companies that contacts belong to, by the host of their e-mail address. */
@Injectable()
export class AccountMatcher {
  constructor(private readonly dispatches: DispatchRepository) {}

  /** The company and its owner for each contact that has one, by contact; nothing unless the router matches accounts. */
  async match(
    db: Queryable,
    account: AccountContext,
    router: RouterEntity,
    records: readonly Pick<DispatchRecord, 'id' | 'fields'>[],
  ): Promise<ReadonlyMap<string, MatchedOwner>> {
    if (router.settings?.['account_matching'] !== true) return new Map();
    const hosts = new Map(
      records.flatMap(({ id, fields }) => {
        const host = emailHost(fields['email']);
        return host === undefined ? [] : [[id, host] as const];
      }),
    );
    if (hosts.size === 0) return new Map();
    const found = await this.dispatches.findCompanies(db, account, [...new Set(hosts.values())]);
    const companies = new Map(found.map((company) => [company.host, company]));
    return new Map(
      [...hosts].flatMap(([id, host]) => {
        const company = companies.get(host);
        return company === undefined
          ? []
          : [[id, { companyId: company.id, host, owner: company.owner }] as const];
      }),
    );
  }
}

function emailHost(email: string | undefined): string | undefined {
  const [, domain] = /@([^@]+)$/.exec(email ?? '') ?? [];
  return domain === undefined ? undefined : canonicalHost(domain);
}
