import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import {
  AccountsRepository,
  ACTIVE_ACCOUNTS,
  type AccountContext,
  type AccountKeys,
} from '../../accounts/index.js';
import {
  butOnCluster,
  newId,
  onCluster,
  type EntityReader,
  type Queryable,
  type Transaction,
} from '../../database/index.js';
import { emailKey } from '../../text/email-key.js';
import { hashClientSecret, type TokenKey } from '../secrets.js';
import type { KnownMember } from './decide-entry.js';
import type { GroupRoleDto } from './member.dto.js';
import { GroupRoleEntity } from './group-role.entity.js';
import { MemberEntity } from './member.entity.js';
import type { Role } from '../scope.js';

/** The e-mail of a member, archived or not; null for an unknown one. */
export const memberName = (account: string, id: string): string =>
  `(SELECT member.email FROM console_members member WHERE member.account_id = ${account} AND member.id = ${id})`;

/** A session that is neither over nor ended, of a member who may act. */
export interface Session extends KnownMember {
  readonly id: string;
  readonly role: Role;
  readonly byProvider: boolean;
  /** When it ends unless the member does something before. */
  readonly idleUntil: Date;
  readonly endsAt: Date;
  /** Whether it is to be noted that the member does something. */
  readonly isStale: boolean;
}

/** A member who enters, and how. */
export interface Entry {
  readonly memberId: string;
  readonly token: string;
  /** How the provider names the person, if it does. */
  readonly identity?: Identity | undefined;
}

/** The name of a person at a provider. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** What leads to the accounts of a person whom the provider has named. */
export const personKeys = ({ issuer, subject }: Identity): AccountKeys => ({
  kind: 'person',
  keys: [`${issuer} ${subject}`],
});

/** A member in another account of the same person. */
export interface MemberElsewhere extends KnownMember {
  readonly slug: string;
  readonly name: string;
  readonly identity: Identity;
}

/** A link that was used, and the member whose it was. */
export interface UsedLink extends KnownMember {
  /** Whether the member may enter by it. */
  readonly isGood: boolean;
}

/** Hashes as the database has them. @param keys in hex */
const buffers = (keys: readonly string[]): Buffer[] => keys.map((key) => Buffer.from(key, 'hex'));

/** A condition: the row has that key. */
export const hasKey = (account: string, id: string): string => `account_id = ${account} AND id = ${id}`;

/** A condition: the member is active. The planner takes it for no condition of an index of active members. */
const IS_ACTIVE = 'num_nulls(archived_at) = 1';

/**
 * The member of a row that names one. The bound keeps PostgreSQL from reading all members for a join.
 * @param account parameter with the account
 */
export const memberOf = (row: string, account: string): string =>
  `CROSS JOIN LATERAL (SELECT * FROM console_members WHERE ${hasKey(`${row}.account_id`, `${row}.member_id`)}
      ${onCluster(`AND account_id = ${account}`)} LIMIT 1) m`;

/** Whether the account of a row is not suspended. @param account as of `memberOf` */
export const isActive = (row: string, account: string): string =>
  `(SELECT true FROM (${ACTIVE_ACCOUNTS}) account WHERE account.id = ${row}.account_id
      ${onCluster(`AND account.id = ${account}`)})`;

/** A condition: the row is of the account. An equation could be looked up in an index that begins with it. */
export const isOf = (account: string, row = ''): string =>
  butOnCluster(`${row}account_id IS NOT DISTINCT FROM ${account}::uuid`) +
  onCluster(`${row}account_id = ${account}`);

const IDLE = "interval '1 hour'";

const FIND_SESSIONS = {
  name: 'console_find_sessions',
  text: `SELECT encode(s.token_hash, 'hex') AS key, s.account_id AS "accountId", s.id, s.member_id AS "memberId",
      m.email, m.role, s.by_provider AS "byProvider", s.seen_at + ${IDLE} AS "idleUntil", s.ends_at AS "endsAt",
      s.seen_at < now() - interval '1 minute' AS "isStale"
    FROM console_sessions s ${memberOf('s', '$2')}
    WHERE s.token_hash = ANY ($1::bytea[]) AND ${isOf('$2', 's.')} AND s.ends_at > now()
      AND s.seen_at > now() - ${IDLE} AND m.archived_at IS NULL AND ${isActive('s', '$2')}`,
};

/** $1 account, $2 session, $3 member. Many requests at once write once. */
const TOUCH = {
  name: 'console_touch_session',
  text: `WITH touched AS (UPDATE console_sessions SET seen_at = now()
      WHERE ${hasKey('$1', '$2')} AND seen_at < now() - interval '1 minute' RETURNING id)
    UPDATE console_members SET last_seen_at = now() WHERE ${hasKey('$1', '$3')} AND EXISTS (SELECT FROM touched)`,
};

/** $1 account, $2 member, $3 issuer and $4 subject of the person or null. */
const ENTER = {
  name: 'console_enter_member',
  text: `UPDATE console_members SET last_seen_at = now() WHERE ${hasKey('$1', '$2')} AND ${IS_ACTIVE}
    AND ($3::text IS NULL OR (issuer = $3 AND subject = $4)) RETURNING id`,
};

/** $1 account, $2 session, $3 hash, $4 member, $5 whether the provider has named the person. */
const OPEN = {
  name: 'console_open_session',
  text: `INSERT INTO console_sessions (account_id, id, token_hash, member_id, by_provider, seen_at, ends_at)
    VALUES ($1, $2, $3, $4, $5, now(), now() + interval '12 hours')`,
};

/** $1 account, $2 member. */
const FIND_IDENTITY = {
  name: 'console_find_identity',
  text: `SELECT issuer, subject FROM console_members WHERE ${hasKey('$1', '$2')}`,
};

/** $1 account, $2 issuer, $3 subject. */
const FIND_ELSEWHERE = {
  name: 'console_find_elsewhere',
  text: `SELECT m.account_id AS "accountId", m.id AS "memberId", m.email, account.slug, account.name,
      json_build_object('issuer', m.issuer, 'subject', m.subject) AS identity
    FROM (SELECT * FROM console_members
      WHERE subject = $3 AND issuer = $2 AND ${isOf('$1')} AND archived_at IS NULL ${butOnCluster('LIMIT 1')}) m
    CROSS JOIN LATERAL (SELECT * FROM (${ACTIVE_ACCOUNTS}) active
      WHERE active.id = m.account_id ${onCluster('AND active.id = $1')} LIMIT 1) account`,
};

const END = {
  name: 'console_end_session',
  text: `DELETE FROM console_sessions WHERE ${hasKey('$1', '$2')} RETURNING id`,
};

/** Whoever opens a session of one of the members waits, and finds the member as it is afterwards. */
const LOCK_MEMBERS = {
  name: 'console_lock_members',
  text: `SELECT m.id FROM (SELECT DISTINCT unnest($2::uuid[]) AS id ORDER BY 1) wanted CROSS JOIN LATERAL
      (SELECT id FROM console_members WHERE ${hasKey('$1', 'wanted.id')} LIMIT 1 FOR UPDATE) m`,
};

/** $1 account, $2 members. */
const ofMembers = `member_id = ANY ($2::uuid[]) AND ${isOf('$1')}`;

const END_ALL = {
  name: 'console_end_all',
  text: `WITH links AS (DELETE FROM console_links WHERE ${ofMembers})
    DELETE FROM console_sessions WHERE ${ofMembers} RETURNING id`,
};

const ADD_LINK = {
  name: 'console_add_link',
  text: `INSERT INTO console_links (account_id, token_hash, member_id, ends_at)
    VALUES ($1, $2, $3, now() + interval '15 minutes') RETURNING ends_at AS "endsAt"`,
};

const FIND_LINKS = {
  name: 'console_find_links',
  text: `SELECT encode(token_hash, 'hex') AS key FROM console_links
    WHERE token_hash = ANY ($1::bytea[]) AND ${isOf('$2')}`,
};

/** Of those who use a link at once, one gets the row. */
const USE_LINK = {
  name: 'console_use_link',
  text: `WITH used AS (DELETE FROM console_links WHERE token_hash = $1 AND ${isOf('$2')} RETURNING *)
    SELECT used.account_id AS "accountId", used.member_id AS "memberId", m.email,
      used.ends_at > now() AND m.archived_at IS NULL AND ${isActive('used', '$2')} IS TRUE AS "isGood"
    FROM used ${memberOf('used', '$2')}`,
};

/** Delete rows that are over, at most $1 of them, but for those that others delete. */
const DROP_ENDED = ['console_links', 'console_sessions'].map((table) => ({
  name: `console_sweep_${table}`,
  text: `DELETE FROM ${table} WHERE ${butOnCluster(`ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE ends_at < now() ORDER BY ends_at LIMIT $1 FOR UPDATE SKIP LOCKED))`)}
    ${onCluster('ends_at < now() AND $1::int > 0')} RETURNING 1`,
}));

/** Reads and writes members, their links and their sessions. Tokens are known by their hashes. */
@Injectable()
export class PeopleRepository {
  constructor(private readonly accounts: AccountsRepository) {}

  /** Has e-mails lead to the account, before members are written. */
  async keepEmails(tx: Transaction, account: AccountContext, emails: readonly string[]): Promise<void> {
    await this.accounts.keepKeys(tx, account, { kind: 'email', keys: emails.map(emailKey) });
  }

  /** Finds sessions that go on. @param keys hashes in hex */
  async findSessions(db: Queryable, { accountId }: AccountContext, keys: readonly string[]) {
    const rows = await db.query<Session & { key: string }>(FIND_SESSIONS, [buffers(keys), accountId]);
    return new Map<string, Session>(rows.map(({ key, ...session }) => [key, session]));
  }

  /** Notes that the member does something, at most once a minute. */
  async touch(db: Queryable, { accountId, id, memberId }: Session): Promise<void> {
    await db.query(TOUCH, [accountId, id, memberId]);
  }

  /** Opens a session. @returns whether it may: the member is neither archived, nor another person by now */
  async openSession(tx: Transaction, { accountId }: AccountContext, entry: Entry): Promise<boolean> {
    const { memberId, token, identity } = entry;
    const person = [identity?.issuer ?? null, identity?.subject ?? null];
    if ((await tx.query(ENTER, [accountId, memberId, ...person])).length === 0) return false;
    const values = [newId(), hashClientSecret(token), memberId, identity !== undefined];
    await tx.query(OPEN, [accountId, ...values]);
    return true;
  }

  /** Returns the person of a session in all accounts. */
  async accountsOf(db: Queryable, { accountId, memberId }: Session): Promise<MemberElsewhere[]> {
    const [own] = await db.query<Identity>(FIND_IDENTITY, [accountId, memberId]);
    if (own === undefined) return [];
    const { issuer, subject } = own;
    const found: MemberElsewhere[] = [];
    for (const id of await this.accounts.findMany(db, personKeys(own)))
      found.push(...(await db.query<MemberElsewhere>(FIND_ELSEWHERE, [id, issuer, subject])));
    return found.sort((a, b) => (a.slug < b.slug ? -1 : 1));
  }

  /** @returns whether it was there */
  async endSession(db: Queryable, { accountId, id }: Pick<Session, 'accountId' | 'id'>): Promise<boolean> {
    return (await db.query(END, [accountId, id])).length > 0;
  }

  /** Ends all sessions and links of members. @returns how many sessions there were */
  async endAll(tx: Transaction, account: AccountContext, memberIds: readonly string[]): Promise<number> {
    const members = [account.accountId, memberIds];
    await tx.query(LOCK_MEMBERS, members);
    return (await tx.query(END_ALL, members)).length;
  }

  /** Adds a link. @returns when it ends */
  async addLink(tx: Transaction, { accountId }: AccountContext, { memberId, token }: Entry): Promise<Date> {
    const values = [accountId, hashClientSecret(token), memberId];
    const [row] = await tx.query<{ endsAt: Date }>(ADD_LINK, values);
    if (row === undefined) throw new Error('A link was not stored');
    return row.endsAt;
  }

  /** Finds links that are not used. @param keys hashes in hex */
  async findLinks(db: Queryable, { accountId }: AccountContext, keys: readonly string[]) {
    const rows = await db.query<{ key: string }>(FIND_LINKS, [buffers(keys), accountId]);
    return new Map(rows.map(({ key }) => [key, true as const]));
  }

  /** Uses a link up. */
  async useLink(tx: Transaction, { accountId, hash }: TokenKey): Promise<UsedLink | undefined> {
    const [row] = await tx.query<UsedLink>(USE_LINK, [Buffer.from(hash, 'hex'), accountId]);
    return row;
  }

  /** Deletes links and sessions that are over. @returns the most of one kind */
  async dropEnded(db: Queryable, most: number): Promise<number> {
    let dropped = 0;
    for (const statement of DROP_ENDED) {
      dropped = Math.max(dropped, (await db.query(statement, [most])).length);
    }
    return dropped;
  }

  /** The active member with an e-mail, in any form of it. */
  findActive(db: EntityReader, { accountId }: AccountContext, email: string): Promise<MemberEntity | null> {
    const where = { accountId, emailKey: emailKey(email), archivedAt: IsNull() };
    return db.repository(MemberEntity).findOneBy(where);
  }

  /** The groups of the provider that have a role in an account, by name. */
  groupRoles(db: EntityReader, { accountId }: AccountContext): Promise<GroupRoleEntity[]> {
    return db.repository(GroupRoleEntity).find({ where: { accountId }, order: { group: 'ASC' } });
  }

  /** Replaces them. */
  async setGroupRoles(tx: Transaction, { accountId }: AccountContext, roles: readonly GroupRoleDto[]) {
    const keys = roles.map(({ group }) => group);
    await this.accounts.keepKeys(tx, { accountId }, { kind: 'group', keys });
    const groups = tx.repository(GroupRoleEntity);
    await groups.delete({ accountId });
    if (roles.length > 0) await groups.insert(roles.map(({ group, role }) => ({ accountId, group, role })));
  }
}
