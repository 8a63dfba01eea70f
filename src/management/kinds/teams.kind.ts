import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { EntityReader } from '../../database/index.js';
import { DirectoryRepository, TeamDto, TeamEntity, type Directory } from '../../directory/index.js';
import { shownName } from '../../text/shown-name.js';
import { usesById, type ConfigurationChange } from '../change/configuration-change.js';
import { ConfigurationUses } from '../change/configuration-uses.js';
import type { KindDocs } from '../managed/managed-docs.js';
import type { Around, RowValues, Uses, Wanted } from '../managed/kind-declaration.js';
import { ManagedKind } from '../managed/managed-kind.js';
import type { WrittenRow } from '../managed/managed.repository.js';

/** Teams of an account. An archived team becomes active again. */
@Injectable()
export class TeamsKind extends ManagedKind<TeamEntity, TeamDto, Directory> {
  static readonly docs: KindDocs = {
    one: 'team',
    many: 'teams',
    dto: TeamDto,
    read: ['directory:read', 'manage'],
    searched: ['nameKey'],
    notes: {
      create:
        'An archived team with the name becomes active again, under the same id: what the body leaves out is as it was.',
      update:
        'Changes the keys that the body has: `members` is the whole list. Routers follow another `name`.',
      archive: 'Refused while a router or a capacity names the team.',
    },
    about: { name: 'Unique among active teams', members: 'Users in the order of their turns' },
    example: { name: 'Support', members: ['ada@demo.test', 'grace@demo.test'] },
  };

  readonly entity = TeamEntity;
  override readonly keyColumn = 'nameKey';

  constructor(
    private readonly directory: DirectoryRepository,
    private readonly named: ConfigurationUses,
  ) {
    super();
  }

  /** The members that teams have and are to have. */
  context(db: EntityReader, account: AccountContext, teams: Around<TeamEntity, TeamDto>): Promise<Directory> {
    return this.directory.loadSome(db, account, {
      emails: teams.flatMap(({ dto }) => dto?.members ?? []),
      userIds: teams.flatMap(({ present }) => present?.memberIds ?? []),
    });
  }

  /** Members who are users no more are left out. */
  form({ name, memberIds }: WrittenRow<TeamEntity>, directory: Directory): object {
    return { name, members: memberIds.flatMap((id) => directory.user(id)?.email ?? []) };
  }

  wanted(
    { dto: { name, members }, present, fail }: Wanted<TeamEntity, TeamDto>,
    directory: Directory,
  ): RowValues<TeamEntity> | undefined {
    const ids = members?.map((email, index) => {
      const user = directory.withEmail(email);
      if (user === undefined) fail(`members[${index}]`, `${shownName(email)} is not a user of the account`);
      return user?.id;
    });
    const memberIds = ids?.filter((id) => id !== undefined) ?? present?.memberIds ?? [];
    if (ids !== undefined && memberIds.length < ids.length) return undefined;
    return { name, memberIds };
  }

  /** Pools of routers and of their rules, and capacities. */
  override async uses(change: ConfigurationChange, teams: readonly TeamEntity[]): Promise<Uses> {
    const usesOf = await this.named.load(change);
    return usesById(teams, ({ id, name }) => ({ what: `The team ${name}`, uses: usesOf(id) }));
  }
}
