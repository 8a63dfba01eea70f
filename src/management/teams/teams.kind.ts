import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { CapacitiesRepository } from '../../capacities/index.js';
import { newId, type EntityReader } from '../../database/index.js';
import {
  DirectoryRepository,
  TeamEntity,
  type Directory,
  type Team,
  type TeamDto,
} from '../../directory/index.js';
import { RoutersRepository, type RouterEntity } from '../../routers/index.js';
import { shownName } from '../../text/shown-name.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { routerParts, teamsOf, usesInRouters, type Use } from '../change/router-uses.js';
import { inUse, type InUse } from '../managed/in-use.js';
import { ManagedKind, type Around, type Wanted } from '../managed/managed-kind.js';
import type { WrittenRow } from '../managed/managed.repository.js';

/** Teams of an account. An archived team becomes active again. */
@Injectable()
export class TeamsKind extends ManagedKind<TeamEntity, TeamDto, Directory> {
  readonly kind = 'team';
  readonly entity = TeamEntity;
  override readonly keyColumn = 'nameKey';
  override readonly searched = ['nameKey'];

  constructor(
    private readonly directory: DirectoryRepository,
    private readonly routers: RoutersRepository,
    private readonly capacities: CapacitiesRepository,
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
  override async uses(
    { tx, account }: ConfigurationChange,
    teams: readonly TeamEntity[],
  ): Promise<ReadonlyMap<string, InUse>> {
    const routers = usesInRouters(await this.routers.listWithDrafts(tx, account), usesOf);
    const capacities = await this.capacities.list(tx, account);
    return new Map(
      teams.flatMap(({ id, name }) => {
        const counting = capacities.filter((capacity) => capacity.teams.some(({ teamId }) => teamId === id));
        const uses = [...(routers.get(id) ?? []), ...counting.map((each) => `the capacity ${each.name}`)];
        return uses.length === 0 ? [] : [[id, inUse(`The team ${name}`, uses)] as const];
      }),
    );
  }
}

/** Returns a team as the configuration file spells it. Members who are users no more are left out. */
export function teamForm({ name, memberIds }: Omit<Team, 'id'>, directory: Directory): object {
  return { name, members: memberIds.flatMap((id) => directory.user(id)?.email ?? []) };
}

/** Returns the uses of teams by one router, with their ids as keys. */
function usesOf({ name, teams, settings }: Pick<RouterEntity, 'name' | 'teams' | 'settings'>): Use[] {
  const own = teams.map(({ teamId }) => ({ key: teamId, text: `the router ${name}` }));
  const listed = routerParts(settings).flatMap((part) =>
    teamsOf(part).map((key) => ({ key, text: `the router ${name} (${part.name})` })),
  );
  return [...own, ...listed];
}
