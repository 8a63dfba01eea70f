import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import {
  ConsoleSite,
  decideEntry,
  greatestRole,
  IdentitiesRepository,
  MemberDto,
  newAccountToken,
  PeopleRepository,
  type Decision,
  type MemberEntity,
  type Namesake,
  type ProviderPerson,
  type Refusal,
  type Role,
} from '../../auth/index.js';
import { Database, type Queryable } from '../../database/index.js';
import { notFound } from '../../errors/errors.js';
import { checked } from './api-clients.service.js';
import { ChangesService, type Changer } from '../change/changes.service.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { MembersKind } from './members.kind.js';

/** A link by which a member enters the console once. The database keeps the hash of its secret. */
export interface MemberLink {
  readonly url: string;
  readonly expires_at: string;
}

/** How many sessions were open that have ended. */
export interface EndedSessions {
  readonly ended: number;
}

/** The person for whom a command makes a link. */
interface Invitation {
  readonly email: string;
  /** That of the member unless given, `viewer` for a new one. */
  readonly role?: Role | undefined;
}

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

/** Lets members in by one-time links and by the provider, and ends their sessions (contract section 12). */
@Injectable()
export class MemberAccessService {
  constructor(
    private readonly database: Database,
    private readonly changes: ChangesService,
    private readonly kind: MembersKind,
    private readonly people: PeopleRepository,
    private readonly identities: IdentitiesRepository,
    private readonly site: ConsoleSite,
  ) {}

  /** Makes a link for a member. @throws 404, also where the console is off; 409 for an archived member */
  makeLink(by: Changer, id: string): Promise<MemberLink> {
    return this.change(by, (change) => this.kind.active(change, { id }));
  }

  /** Ends the sessions of a member, and makes links void. @throws 404; 409 for an archived member */
  endSessions(by: Changer, id: string): Promise<EndedSessions> {
    return this.changes.change(by, async (change) => {
      const { email } = await this.kind.active(change, { id });
      const ended = await this.people.endAll(change.tx, change.account, [id]);
      change.did('sign_out', { kind: 'member', id, name: email });
      return { ended };
    });
  }

  /** As `makeLink`, for a command, which creates or changes the member. @throws 400; 404 */
  invite(by: AccountContext & { readonly command: string }, person: Invitation): Promise<MemberLink> {
    const asked = checked(MemberDto, { ...person, role: person.role ?? 'viewer' });
    return this.change(by, async (change) => {
      const { tx, account } = change;
      const present = await this.people.findActive(tx, account, asked.email);
      const role = person.role ?? present?.role ?? asked.role;
      return this.kind.put(change, { ...asked, role });
    });
  }

  private change(
    by: Changer,
    find: (change: ConfigurationChange) => Promise<MemberEntity>,
  ): Promise<MemberLink> {
    if (!this.site.isOn) throw notFound('The console is off (CONSOLE=off)');
    return this.changes.change(by, async (change) => {
      const { id, email } = await find(change);
      const token = newAccountToken(change.account);
      const end = await this.people.addLink(change.tx, change.account, { memberId: id, token });
      change.did('link', { kind: 'member', id, name: email });
      const url = `${this.site.address}/console/enter#${token}`;
      return { url, expires_at: end.toISOString() };
    });
  }

  /** Decides for each account that knows the person, and makes them a member where they are to be one. */
  async admit(person: ProviderPerson, scope: Pick<AccountContext, 'deadline'>): Promise<Admission> {
    const db = this.database.for(scope);
    const known: Known[] = [];
    for (const accountId of await this.identities.accountsOf(db, person)) {
      known.push(...(await this.decide(db, { ...scope, accountId }, person)));
    }
    const decisions = [];
    for (const { account, decision } of known.sort(byLastSeen)) {
      decisions.push(isSettled(decision) ? decision : await this.settle(account, person));
    }
    return {
      members: decisions.flatMap((each) => (each.does === 'enter' ? [each.member] : [])),
      refusals: decisions.flatMap((each) => (each.does === 'refuse' ? [each] : [])),
    };
  }

  /** Decides for an account; not where it does not know the person. */
  private async decide(db: Queryable, account: AccountContext, person: ProviderPerson): Promise<Known[]> {
    const namesakes = await this.identities.findNamesakes(db, account, person);
    const roles = await this.identities.findRoles(db, account, person.groups);
    if (namesakes.length + roles.length === 0) return [];
    const role = greatestRole(roles.map((each) => each.role));
    const { isVerified } = person;
    return [{ account, last: namesakes[0], decision: decideEntry(namesakes, { role, isVerified }) }];
  }

  /** Decides again while nobody else changes the account, and does it. */
  private settle(account: AccountContext, person: ProviderPerson): Promise<SettledDecision> {
    return this.changes.change({ ...account, command: 'OpenID Connect' }, async (change) => {
      const [{ decision } = NOBODY] = await this.decide(change.tx, account, person);
      if (isSettled(decision)) return decision;
      return { does: 'enter', member: await this.keep(change, person, decision) };
    });
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
      ? (await this.kind.put(change, { email, role: decision.role })).id
      : decision.member.memberId;
    await this.identities.bind(tx, account, { memberId, issuer, subject, byGroup });
    if (decision.does !== 'follow') {
      const values = [{ path: 'subject', from: null, to: subject }];
      change.did('update', { kind: 'member', id: memberId, name: email }, { values });
    }
    return { accountId: account.accountId, memberId, email };
  }
}

/** A decision that changes nothing. */
type SettledDecision =
  | { readonly does: 'enter'; readonly member: EnteringMember }
  | Extract<Decision, { readonly does: 'refuse' }>;

/** What is decided for an account that knows a person. */
interface Known {
  readonly account: AccountContext;
  /** The member who was seen last; undefined where only a group of theirs is known. */
  readonly last: Namesake | undefined;
  readonly decision: Decision;
}

const NOBODY: Pick<Known, 'decision'> = { decision: { does: 'refuse', why: 'unknown' } };

function isSettled(decision: Decision): decision is Decision & SettledDecision {
  return decision.does === 'enter' || decision.does === 'refuse';
}

/** Compares: who was seen last comes first. */
function byLastSeen({ last: a }: Known, { last: b }: Known): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const later = (b.lastSeenAt?.getTime() ?? 0) - (a.lastSeenAt?.getTime() ?? 0);
  return later || (a.memberId < b.memberId ? -1 : 1);
}
