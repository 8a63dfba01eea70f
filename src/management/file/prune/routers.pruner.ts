import { Injectable } from '@nestjs/common';
import { RoutersRepository } from '../../../routers/index.js';
import type { ConfigurationChange } from '../../change/configuration-change.js';
import type { AccountDto } from '../account.dto.js';
import type { Pruner } from './pruner.js';

/** Archives the routers that `routers` leaves out. */
@Injectable()
export class RoutersPruner implements Pruner {
  constructor(private readonly routers: RoutersRepository) {}

  async prune(change: ConfigurationChange, { routers }: AccountDto): Promise<void> {
    if (routers === undefined) return;
    const named = new Set(routers.map(({ name }) => name));
    for (const { id, name } of await this.routers.listActive(change.tx, change.account)) {
      if (named.has(name)) continue;
      const archivedBy = change.author.id ?? change.author.name;
      const values = { id, archivedAt: new Date(), archivedBy };
      await this.routers.update(change.tx, change.account, values);
      change.add('archive', { kind: 'router', id, name });
    }
  }
}
