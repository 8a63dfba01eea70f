import { Injectable } from '@nestjs/common';
import { DirectoryRepository, type Team } from '../../../directory/index.js';
import type { AccountDto } from '../account.dto.js';
import type { ApplyRun } from './apply-run.js';
import type { ApplySection } from './apply-section.js';

/** Applies `teams`, after the users they name. */
@Injectable()
export class TeamsSection implements ApplySection {
  constructor(private readonly directory: DirectoryRepository) {}

  async apply(run: ApplyRun, { teams = [] }: AccountDto): Promise<void> {
    const users = await this.directory.listUsers(run.tx, run.account);
    const ids = new Map(users.map(({ email, id }) => [email, id]));
    const present = new Map(
      (await this.directory.listTeams(run.tx, run.account)).map((team) => [team.name, team]),
    );
    const created: Pick<Team, 'name' | 'memberIds'>[] = [];
    for (const [index, { name, members }] of teams.entries()) {
      const unknown = (members ?? []).filter((email) => !ids.has(email));
      for (const email of unknown)
        run.refuse(`teams[${index}].members`, `${email} is not a user of the account`);
      if (unknown.length > 0) continue;
      const memberIds = members?.map((email) => ids.get(email) ?? '');
      const team = present.get(name);
      if (team === undefined) {
        created.push({ name, memberIds: memberIds ?? [] });
        run.created('team', name);
      } else if (memberIds !== undefined && memberIds.join() !== team.memberIds.join()) {
        await this.directory.updateTeam(run.tx, run.account, { id: team.id, memberIds });
        run.updated('team', name, ['members']);
      }
    }
    await this.directory.insertTeams(run.tx, run.account, created);
  }
}
