import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import {
  ConsoleSite,
  MemberDto,
  newAccountToken,
  PeopleRepository,
  type MemberEntity,
  type Role,
} from '../../auth/index.js';
import { notFound } from '../../errors/errors.js';
import { checked } from './api-clients.service.js';
import { ChangesService, type Changer } from '../change/changes.service.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { ManagedService } from '../managed/managed.service.js';
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

/** Lets members in by one-time links, and ends their sessions (contract section 12). */
@Injectable()
export class MemberAccessService {
  constructor(
    private readonly changes: ChangesService,
    private readonly managed: ManagedService,
    private readonly kind: MembersKind,
    private readonly people: PeopleRepository,
    private readonly site: ConsoleSite,
  ) {}

  /** Makes a link for a member. @throws 404, also where the console is off; 409 for an archived member */
  makeLink(by: Changer, id: string): Promise<MemberLink> {
    return this.change(by, (change) => this.managed.active(this.kind, change, { id }));
  }

  /** Ends the sessions of a member, and makes links void. @throws 404; 409 for an archived member */
  endSessions(by: Changer, id: string): Promise<EndedSessions> {
    return this.changes.change<EndedSessions & { readonly id?: never }>(by, async (change) => {
      const { email } = await this.managed.active(this.kind, change, { id });
      const ended = await this.people.endAll(change.tx, change.account, [id]);
      change.did('sign_out', { kind: 'member', id, name: email });
      return { ended };
    });
  }

  /**
   * Makes a link for a member, who is created or changed first, for a command.
   * @param command its name
   * @throws 400 naming `email` or `role`; 404 where the console is off
   */
  invite(by: AccountContext & { readonly command: string }, person: Invitation): Promise<MemberLink> {
    const asked = checked(MemberDto, { ...person, role: person.role ?? 'viewer' });
    return this.change(by, async (change) => {
      const { tx, account } = change;
      const present = await this.people.findActive(tx, account, asked.email);
      const role = person.role ?? present?.role ?? asked.role;
      return this.managed.put(this.kind, change, { ...asked, role });
    });
  }

  private change(
    by: Changer,
    find: (change: ConfigurationChange) => Promise<MemberEntity>,
  ): Promise<MemberLink> {
    if (!this.site.isOn) throw notFound('The console is off (CONSOLE=off)');
    return this.changes.change<MemberLink & { readonly id?: never }>(by, async (change) => {
      const { id, email } = await find(change);
      const token = newAccountToken(change.account);
      const end = await this.people.addLink(change.tx, change.account, { memberId: id, token });
      change.did('link', { kind: 'member', id, name: email });
      const url = `${this.site.address}/console/enter#${token}`;
      return { url, expires_at: end.toISOString() };
    });
  }
}
