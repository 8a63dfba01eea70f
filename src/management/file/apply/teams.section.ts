import { Injectable } from '@nestjs/common';
import { newId } from '../../../database/index.js';
import { DirectoryRepository, type Team } from '../../../directory/index.js';
import type { ConfigurationChange } from '../../change/configuration-change.js';
import { teamForm } from '../../forms/team-form.js';
import type { AccountDto } from '../account.dto.js';
import type { ApplySection } from './apply-section.js';

/** Applies `teams`, after the users they name. */
@Injectable()
export class TeamsSection implements ApplySection {
  constructor(private readonly directory: DirectoryRepository) {}

  async apply(change: ConfigurationChange, { teams = [] }: AccountDto): Promise<void> {
    const directory = await this.directory.load(change.tx, change.account);
    const created: Team[] = [];
    for (const [index, { name, members }] of teams.entries()) {
      const present = directory.findTeam(name);
      const refuse = change.refusing(`teams[${index}]`);
      const unknown = (members ?? []).filter((email) => !directory.users.has(email));
      for (const email of unknown) refuse('members', `${email} is not a user of the account`);
      if (unknown.length > 0) continue;
      const memberIds = members?.map((email) => directory.users.get(email)?.id ?? '');
      const team = { id: present?.id ?? newId(), name, memberIds: memberIds ?? present?.memberIds ?? [] };
      const forms = {
        before: present === undefined ? null : teamForm(present, directory),
        after: teamForm(team, directory),
      };
      if (!change.note({ kind: 'team', id: team.id, name }, forms)) continue;
      if (present === undefined) created.push(team);
      else await this.directory.updateTeam(change.tx, change.account, team);
    }
    await this.directory.insertTeams(change.tx, change.account, created);
  }
}
