import { Injectable } from '@nestjs/common';
import { newId } from '../../database/index.js';
import {
  DirectoryRepository,
  type Directory,
  type Team,
  type TeamDto,
  type TeamEntity,
} from '../../directory/index.js';
import { nameKey } from '../../text/canonical-text.js';
import { shownName } from '../../text/shown-name.js';
import type { ConfigurationChange, Refuse } from '../change/configuration-change.js';
import { archiveUnused } from '../change/archive-unused.js';
import type { InUse } from '../change/in-use.js';
import { archivableState } from '../change/managed-row.js';
import { teamForm } from '../forms/team-form.js';
import { TeamUses } from './team-uses.js';

/** A team as it is wanted, and the stored one; undefined for a new one. */
export interface WantedTeam {
  readonly dto: TeamDto;
  readonly present: TeamEntity | undefined;
  readonly refuse: Refuse;
}

/** Creates, changes and archives teams. An archived team becomes active again. */
@Injectable()
export class TeamsEditor {
  constructor(
    private readonly directory: DirectoryRepository,
    private readonly uses: TeamUses,
  ) {}

  /** Finds the teams of names. The one of a name is the active one, or else the one that was created last. */
  async find(
    { tx, account }: ConfigurationChange,
    names: readonly string[],
  ): Promise<(name: string) => TeamEntity | undefined> {
    const found = await this.directory.findTeams(tx, account, names);
    const archivedFirst = found.sort((a, b) => Number(isActive(a)) - Number(isActive(b)));
    const teams = new Map(archivedFirst.map((team) => [nameKey(team.name), team]));
    return (name) => teams.get(nameKey(name));
  }

  /** @returns the ids of the teams that were not refused */
  async keep(change: ConfigurationChange, teams: readonly WantedTeam[]): Promise<string[]> {
    const directory = await this.directory.loadSome(change.tx, change.account, {
      emails: teams.flatMap(({ dto }) => dto.members ?? []),
      userIds: teams.flatMap(({ present }) => present?.memberIds ?? []),
    });
    const created: Team[] = [];
    const ids: string[] = [];
    for (const wanted of teams) {
      const { present } = wanted;
      const team = wantedTeam(wanted, directory);
      if (team === undefined) continue;
      ids.push(team.id);
      const before = present === undefined ? null : teamState(present, directory);
      const object = { kind: 'team', id: team.id, name: team.name } as const;
      if (!change.note(object, { before, after: teamForm(team, directory) })) continue;
      if (present === undefined) created.push(team);
      else await this.directory.updateTeam(change.tx, change.account, { ...team, archivedAt: null });
    }
    await this.directory.insertTeams(change.tx, change.account, created);
    return ids;
  }

  /** Archives teams. @returns those that stay because something uses them, and what */
  async archive(change: ConfigurationChange, teams: readonly TeamEntity[]): Promise<InUse[]> {
    if (teams.length === 0) return [];
    const uses = await this.uses.find(change, teams);
    const leaving = teams.map(({ id, name }, index) => ({
      object: { kind: 'team', id, name } as const,
      what: `The team ${name}`,
      uses: uses[index] ?? [],
    }));
    return archiveUnused(change, leaving, (ids) =>
      this.directory.archiveTeams(change.tx, change.account, ids),
    );
  }
}

/** Returns undefined for a team with members who are no users. */
function wantedTeam({ dto, present, refuse }: WantedTeam, directory: Directory): Team | undefined {
  const { name, members } = dto;
  const ids = members?.map((email, index) => {
    const user = directory.withEmail(email);
    if (user === undefined) refuse(`members[${index}]`, `${shownName(email)} is not a user of the account`);
    return user?.id;
  });
  if (ids?.includes(undefined)) return undefined;
  const memberIds = ids?.filter((id) => id !== undefined) ?? present?.memberIds ?? [];
  return { id: present?.id ?? newId(), name, memberIds };
}

/** What the audit compares of a team: what the file says, and whether the team is archived. */
function teamState(team: TeamEntity, directory: Directory): object {
  return archivableState(teamForm(team, directory), team);
}

function isActive({ archivedAt }: TeamEntity): boolean {
  return archivedAt === null;
}
