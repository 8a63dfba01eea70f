import { Injectable } from '@nestjs/common';
import type { ConfigurationChange } from '../../change/configuration-change.js';
import { TeamsEditor } from '../../teams/teams.editor.js';
import type { AccountDto } from '../account.dto.js';
import type { ApplySection } from './apply-section.js';

/** Applies `teams`, after the users they name. An archived team that is in the file becomes active again. */
@Injectable()
export class TeamsSection implements ApplySection {
  constructor(private readonly editor: TeamsEditor) {}

  async apply(change: ConfigurationChange, { teams = [] }: AccountDto): Promise<void> {
    const names = teams.map(({ name }) => name);
    const find = await this.editor.find(change, names);
    await this.editor.keep(
      change,
      teams.map((dto, index) => ({
        dto,
        present: find(dto.name),
        refuse: change.refusing(`teams[${index}]`),
      })),
    );
  }
}
