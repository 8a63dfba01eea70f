import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import {
  decideEntry,
  greatestRole,
  IdentitiesRepository,
  type Decision,
  type Namesake,
  type ProviderPerson,
  type Refusal,
  type Role,
} from '../../auth/index.js';
import { Database, type Queryable } from '../../database/index.js';
import { ChangesService } from '../change/changes.service.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { ManagedService } from '../managed/managed.service.js';
import { MembersKind } from './members.kind.js';

/** A member whom a person is, or who they are not let in as. */
export interface EnteringMember {
  readonly accountId: string;
  readonly memberId: string;
  readonly email: string;
}

/** What becomes of a person in all accounts. */
export interface Admission {
  /** Whom the person may enter as, the member who was seen last first. */
  readonly members: readonly EnteringMember[];
  readonly refusals: readonly { readonly why: Refusal; readonly member?: EnteringMember | undefined }[];
}

/** What the audit names as the author of what a sign-in changes. */
const COMMAND = 'OpenID Connect';

/** Lets people enter accounts whom the provider has named (contract section 12). */
@Injectable()
export class MemberEntriesService {
  constructor(
    private readonly database: Database,
    private readonly changes: ChangesService,
    private readonly managed: ManagedService,
    private readonly kind: MembersKind,
    private readonly identities: IdentitiesRepository,
  ) {}

  /** Decides for each account that knows the person, and makes them a member where they are to be one. */
  async admit(person: ProviderPerson, scope: Pick<AccountContext, 'deadline'>): Promise<Admission> {
    const found = await this.decide(this.database.for(scope), person);
    const decisions = [];
    for (const [accountId, decision] of found) {
      const isSettled = decision.does === 'enter' || decision.does === 'refuse';
      decisions.push(isSettled ? decision : await this.settle(person, { ...scope, accountId }));
    }
    return {
      members: decisions.flatMap((each) => (each.does === 'enter' ? [each.member] : [])),
      refusals: decisions.flatMap((each) => (each.does === 'refuse' ? [each] : [])),
    };
  }

  private async decide(
    db: Queryable,
    person: ProviderPerson,
    accountId?: string,
  ): Promise<Map<string, Decision>> {
    const { isVerified, groups } = person;
    const ids = accountId === undefined ? await this.identities.accountsOf(db, person) : [accountId];
    const [namesakes, roles] = [[] as Namesake[], [] as { accountId: string; role: Role }[]];
    for (const id of ids) {
      namesakes.push(...(await this.identities.findNamesakes(db, { accountId: id }, person)));
      roles.push(...(await this.identities.findRoles(db, { accountId: id }, groups)));
    }
    namesakes.sort(byLastSeen);
    const accounts = new Set([...namesakes, ...roles].map((each) => each.accountId));
    return new Map(
      [...accounts].map((id) => {
        const own = roles.flatMap((each) => (each.accountId === id ? [each.role] : []));
        const of = namesakes.filter((each) => each.accountId === id);
        return [id, decideEntry(of, { role: greatestRole(own), isVerified })];
      }),
    );
  }

  /** Decides again while nobody else changes the account, and does it. */
  private settle(person: ProviderPerson, account: AccountContext): Promise<SettledDecision> {
    return this.changes.change<SettledDecision & { readonly id?: never }>(
      { ...account, command: COMMAND },
      async (change) => {
        const decisions = await this.decide(change.tx, person, account.accountId);
        const decision = decisions.get(account.accountId) ?? { does: 'refuse', why: 'unknown' };
        if (decision.does === 'enter' || decision.does === 'refuse') return decision;
        return { does: 'enter', member: await this.keep(change, person, decision) };
      },
    );
  }

  private async keep(
    change: ConfigurationChange,
    { issuer, subject, email: sent = '' }: ProviderPerson,
    decision: Exclude<Decision, SettledDecision>,
  ): Promise<EnteringMember> {
    const { tx, account } = change;
    const byGroup = decision.does !== 'bind';
    const email = decision.does === 'create' ? sent : decision.member.email;
    const memberId = byGroup
      ? (await this.managed.put(this.kind, change, { email, role: decision.role })).id
      : decision.member.memberId;
    await this.identities.bind(tx, account, { memberId, issuer, subject, byGroup });
    if (decision.does !== 'follow') {
      const values = [{ path: 'subject', from: null, to: subject }];
      change.did('update', { kind: 'member', id: memberId, name: email }, { values });
    }
    return { accountId: account.accountId, memberId, email };
  }
}

/** Compares: who was seen last comes first. */
const byLastSeen = (a: Namesake, b: Namesake): number =>
  (b.lastSeenAt?.getTime() ?? 0) - (a.lastSeenAt?.getTime() ?? 0) || (a.memberId < b.memberId ? -1 : 1);

/** A decision that changes nothing. */
type SettledDecision =
  | { readonly does: 'enter'; readonly member: EnteringMember }
  | Extract<Decision, { readonly does: 'refuse' }>;
