import { Injectable } from '@nestjs/common';
import type { TeamDto, UserDto } from '../../../directory/index.js';
import type { ApplyRun } from './apply-run.js';
import { TeamsSection } from './teams.section.js';
import { UsersSection } from './users.section.js';

/** Applies `users`, then the `teams` they are members of. */
@Injectable()
export class DirectorySections {
  constructor(
    private readonly users: UsersSection,
    private readonly teams: TeamsSection,
  ) {}

  async apply(run: ApplyRun, users: readonly UserDto[], teams: readonly TeamDto[]): Promise<void> {
    await this.users.apply(run, users);
    await this.teams.apply(run, teams);
  }
}
