import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { newId, type EntityReader } from '../../database/index.js';
import {
  DirectoryRepository,
  TeamDto,
  TeamEntity,
  type Directory,
  type Team,
} from '../../directory/index.js';
import { shownName } from '../../text/shown-name.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { ConfigurationUses } from '../change/configuration-uses.js';
import type { KindDocs } from '../managed/managed-docs.js';
import { ManagedKind, type Around, type Uses, type Wanted } from '../managed/managed-kind.js';
import type { WrittenRow } from '../managed/managed.repository.js';
import { usesById } from '../managed/refusals.js';

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

  form(team: WrittenRow<TeamEntity>, directory: Directory): object {
    return teamForm(team, directory);
  }

  wanted(
    { dto: { name, members }, present, fail }: Wanted<TeamEntity, TeamDto>,
    directory: Directory,
    { account: { accountId } }: ConfigurationChange,
  ): WrittenRow<TeamEntity> | undefined {
    const ids = members?.map((email, index) => {
      const user = directory.withEmail(email);
      if (user === undefined) fail(`members[${index}]`, `${shownName(email)} is not a user of the account`);
      return user?.id;
    });
    const memberIds = ids?.filter((id) => id !== undefined) ?? present?.memberIds ?? [];
    if (ids !== undefined && memberIds.length < ids.length) return undefined;
    return { accountId, id: present?.id ?? newId(), name, memberIds, archivedAt: null };
  }

  /** Pools of routers and of their rules, and capacities. */
  override async uses(change: ConfigurationChange, teams: readonly TeamEntity[]): Promise<Uses> {
    const usesOf = await this.named.load(change);
    return usesById(teams, ({ id, name }) => ({ what: `The team ${name}`, uses: usesOf(id) }));
  }
}

/** Returns a team as the configuration file spells it. Members who are users no more are left out. */
export function teamForm({ name, memberIds }: Omit<Team, 'id'>, directory: Directory): object {
  return { name, members: memberIds.flatMap((id) => directory.user(id)?.email ?? []) };
}
