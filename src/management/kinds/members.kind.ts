import { Injectable } from '@nestjs/common';
import { MemberDto, MemberEntity, PeopleRepository } from '../../auth/index.js';
import { orNull, TIME } from '../../http/openapi/schemas.js';
import { emailKey } from '../../text/email-key.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import type { ValueChange } from '../change/value-changes.js';
import type { KindDocs } from '../managed/managed-docs.js';
import type { RowValues, Wanted } from '../managed/kind-declaration.js';
import { ManagedKind } from '../managed/managed-kind.js';
import type { WrittenRow } from '../managed/managed.repository.js';

/** Members of the console. Whoever is archived, or gets another role or e-mail, has to enter again. */
@Injectable()
export class MembersKind extends ManagedKind<MemberEntity, MemberDto> {
  static readonly docs: KindDocs = {
    one: 'member',
    many: 'members',
    dto: MemberDto,
    searched: ['emailKey'],
    notes: {
      create:
        'Whoever the provider says has this e-mail may enter; `POST /members/{id}/link` makes a link for others. ' +
        'An archived member with the e-mail becomes active again, under the same id.',
      update:
        'Changes the keys that the body has. Another `email` is another person, whom the provider has to name. ' +
        'Sessions of the member end within 5 s.',
      archive: 'Sessions of the member end within 5 s.',
    },
    about: {
      email: 'In lower case, unique among active members. That of a user: the member is that user',
      role: 'What the member may do: `viewer` reads, `manager` works with records, `admin` does all',
    },
    example: { email: 'ada@demo.test', role: 'manager' },
    shownExample: { email: 'ada@demo.test', role: 'manager', last_seen_at: null },
    shown: { last_seen_at: orNull(TIME) },
  };

  readonly entity = MemberEntity;
  override readonly unique = 'email';
  override readonly keyColumn = 'emailKey';

  constructor(private readonly people: PeopleRepository) {
    super();
  }

  context(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  form({ email, role }: WrittenRow<MemberEntity>): object {
    return { email, role };
  }

  override view(member: MemberEntity): object {
    return { ...this.form(member), last_seen_at: member.lastSeenAt?.toISOString() ?? null };
  }

  override completed(dto: Partial<MemberDto>, { email, role }: MemberEntity): MemberDto {
    return { email: dto.email ?? email, role: dto.role ?? role };
  }

  async wanted(
    { dto: { email, role }, present }: Wanted<MemberEntity, MemberDto>,
    _context: unknown,
    { tx, account }: ConfigurationChange,
  ): Promise<RowValues<MemberEntity>> {
    const isOther =
      present === undefined || present.archivedAt !== null || this.keyOf(present) !== emailKey(email);
    const isSameRole = present?.role === role;
    if (present !== undefined && (isOther || !isSameRole)) {
      await this.people.endAll(tx, account, [present.id]);
    }
    return {
      email,
      role,
      byGroup: !isOther && isSameRole && present.byGroup,
      issuer: isOther ? null : present.issuer,
      subject: isOther ? null : present.subject,
      lastSeenAt: present?.lastSeenAt ?? null,
    };
  }

  override saving(
    { tx, account }: ConfigurationChange,
    rows: readonly WrittenRow<MemberEntity>[],
  ): Promise<void> {
    const emails = rows.map((row) => this.nameOf(row));
    return this.people.keepEmails(tx, account, emails);
  }

  override async leave(
    { tx, account }: ConfigurationChange,
    members: readonly MemberEntity[],
  ): Promise<ValueChange[]> {
    await this.people.endAll(
      tx,
      account,
      members.map(({ id }) => id),
    );
    return [];
  }
}
