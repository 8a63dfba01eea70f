import { Injectable } from '@nestjs/common';
import { DirectoryRepository } from '../../../directory/index.js';
import { nameKey } from '../../../text/canonical-text.js';
import type { ConfigurationChange } from '../../change/configuration-change.js';
import { inUseMessage } from '../../change/in-use.js';
import { TeamsEditor } from '../../teams/teams.editor.js';
import type { AccountDto } from '../account.dto.js';
import type { Pruner } from './pruner.js';

/** Archives the teams that `teams` leaves out. */
@Injectable()
export class TeamsPruner implements Pruner {
  constructor(
    private readonly directory: DirectoryRepository,
    private readonly editor: TeamsEditor,
  ) {}

  async prune(change: ConfigurationChange, { teams }: AccountDto): Promise<void> {
    if (teams === undefined) return;
    const named = new Set(teams.map(({ name }) => nameKey(name)));
    const present = await this.directory.listTeams(change.tx, change.account);
    const others = present.filter(({ name }) => !named.has(nameKey(name)));
    for (const used of await this.editor.archive(change, others)) change.refuse('teams', inUseMessage(used));
  }
}
