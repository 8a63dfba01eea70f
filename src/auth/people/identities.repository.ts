import { Injectable } from '@nestjs/common';
import { AccountsRepository, type AccountContext } from '../../accounts/index.js';
import type { Queryable, Transaction } from '../../database/index.js';
import { emailKey } from '../../text/email-key.js';
import type { Namesake } from './decide-entry.js';
import { hasKey, isActive, isOf, memberOf, personKeys, type Identity } from './people.repository.js';
import type { Role } from '../scope.js';

/** A person as the provider names them. */
export interface ProviderPerson extends Identity {
  readonly email: string | undefined;
  /** Whether the provider says that the e-mail is theirs. */
  readonly isVerified: boolean;
  readonly groups: readonly string[];
}

/** $1 issuer, $2 subject, $3 key of the e-mail or null, $4 account. */
const FIND_NAMESAKES = {
  name: 'console_find_namesakes',
  text: `SELECT m.account_id AS "accountId", m.id AS "memberId", m.email, m.role, m.by_group AS "byGroup",
      m.archived_at IS NOT NULL AS "isArchived", m.last_seen_at AS "lastSeenAt", m.subject IS NOT NULL AS "isNamed",
      m.subject IS NOT DISTINCT FROM $2 AND m.issuer IS NOT DISTINCT FROM $1 AS "isBound"
    FROM (SELECT account_id, id AS member_id FROM console_members WHERE subject = $2 AND issuer = $1
        AND ${isOf('$4')}
      UNION SELECT account_id, id FROM console_members WHERE email_key = $3 AND ${isOf('$4')}) found
      ${memberOf('found', '$4')}
    WHERE ${isActive('found', '$4')}
    ORDER BY m.last_seen_at DESC NULLS LAST, m.id`,
};

/** $1 groups, $2 account. */
const FIND_ROLES = {
  name: 'console_find_group_roles',
  text: `SELECT g.account_id AS "accountId", g.role FROM console_groups g
    WHERE g.name = ANY ($1::text[]) AND g.account_id = $2 AND ${isActive('g', '$2')}`,
};

const BIND = {
  name: 'console_bind_member',
  text: `UPDATE console_members SET issuer = $3, subject = $4, by_group = $5, updated_at = now()
    WHERE ${hasKey('$1', '$2')}`,
};

/** Knows which members the people of a provider are. */
@Injectable()
export class IdentitiesRepository {
  constructor(private readonly accounts: AccountsRepository) {}

  /** Finds the accounts that may know a person. */
  async accountsOf(db: Queryable, person: ProviderPerson): Promise<string[]> {
    const emails = person.email === undefined ? [] : [emailKey(person.email)];
    const found = [
      await this.accounts.findMany(db, personKeys(person)),
      await this.accounts.findMany(db, { kind: 'email', keys: emails }),
      await this.accounts.findMany(db, { kind: 'group', keys: person.groups }),
    ];
    return [...new Set(found.flat())];
  }

  /** Finds the members of an account whom a person may be. */
  findNamesakes(db: Queryable, { accountId }: AccountContext, person: ProviderPerson): Promise<Namesake[]> {
    const { issuer, subject, email } = person;
    const key = email === undefined ? null : emailKey(email);
    return db.query<Namesake>(FIND_NAMESAKES, [issuer, subject, key, accountId]);
  }

  /** Finds the roles that groups have in an account. */
  async findRoles(db: Queryable, { accountId }: AccountContext, groups: readonly string[]) {
    if (groups.length === 0) return [];
    return db.query<{ accountId: string; role: Role }>(FIND_ROLES, [groups, accountId]);
  }

  /** Notes that a member is a person. @param member `byGroup`: whether the role is that of a group */
  async bind(
    tx: Transaction,
    { accountId }: AccountContext,
    member: Identity & { readonly memberId: string; readonly byGroup: boolean },
  ): Promise<void> {
    const { memberId, issuer, subject, byGroup } = member;
    await this.accounts.keepKeys(tx, { accountId }, personKeys(member));
    await tx.query(BIND, [accountId, memberId, issuer, subject, byGroup]);
  }
}
