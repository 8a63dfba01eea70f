import { Injectable } from '@nestjs/common';
import { CapacitiesRepository } from '../../../capacities/index.js';
import { CapacitiesEditor } from '../../capacities/capacities.editor.js';
import type { ConfigurationChange } from '../../change/configuration-change.js';
import type { AccountDto } from '../account.dto.js';
import type { ApplySection } from './apply-section.js';

/** Applies `capacities`, after the fields, users and teams they refer to. */
@Injectable()
export class CapacitiesSection implements ApplySection {
  constructor(
    private readonly capacities: CapacitiesRepository,
    private readonly editor: CapacitiesEditor,
  ) {}

  async apply(change: ConfigurationChange, { capacities = [] }: AccountDto): Promise<void> {
    const stored = await this.capacities.list(change.tx, change.account);
    const present = new Map(stored.map((each) => [each.name, each]));
    await this.editor.keep(
      change,
      capacities.map((dto, index) => ({
        dto,
        present: present.get(dto.name),
        refuse: change.refusing(`capacities[${index}]`),
      })),
    );
  }
}
