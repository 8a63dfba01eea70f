import { Injectable } from '@nestjs/common';
import { CapacitiesRepository } from '../../../capacities/index.js';
import { CapacitiesEditor } from '../../capacities/capacities.editor.js';
import type { ConfigurationChange } from '../../change/configuration-change.js';
import type { AccountDto } from '../account.dto.js';
import type { Pruner } from './pruner.js';

/** Archives the capacities that `capacities` leaves out. */
@Injectable()
export class CapacitiesPruner implements Pruner {
  constructor(
    private readonly capacities: CapacitiesRepository,
    private readonly editor: CapacitiesEditor,
  ) {}

  async prune(change: ConfigurationChange, { capacities }: AccountDto): Promise<void> {
    if (capacities === undefined) return;
    const named = new Set(capacities.map(({ name }) => name));
    for (const capacity of await this.capacities.list(change.tx, change.account)) {
      if (!named.has(capacity.name)) await this.editor.archive(change, capacity);
    }
  }
}
