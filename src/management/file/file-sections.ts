import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Transaction } from '../../database/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { CapacitiesKind } from '../kinds/capacities.kind.js';
import { FieldsKind } from '../kinds/fields.kind.js';
import { MembersKind } from '../kinds/members.kind.js';
import { TeamsKind } from '../kinds/teams.kind.js';
import { UsersKind } from '../kinds/users.kind.js';
import type { AnyKind } from '../managed/managed-kind.js';
import { ManagedService } from '../managed/managed.service.js';
import type { AccountDto } from './account.dto.js';
import { RoutersSection } from './routers.section.js';

/** Applies, prunes and exports the sections of an account, each after those that it refers to. */
@Injectable()
export class FileSections {
  constructor(
    private readonly managed: ManagedService,
    private readonly fields: FieldsKind,
    private readonly users: UsersKind,
    private readonly teams: TeamsKind,
    private readonly capacities: CapacitiesKind,
    private readonly members: MembersKind,
    private readonly routers: RoutersSection,
  ) {}

  /** Creates and changes what the account contains. What fails is reported. */
  async apply(change: ConfigurationChange, dto: AccountDto): Promise<void> {
    for (const section of ['fields', 'users', 'teams', 'capacities', 'members'] as const) {
      await this.managed.apply(this.kind(section), change, { section, dtos: dto[section] ?? [] });
    }
    await this.routers.apply(change, dto.routers ?? []);
  }

  /** Archives what the account leaves out of the sections that it has: what refers to others goes first. */
  async prune(change: ConfigurationChange, dto: AccountDto): Promise<void> {
    if (dto.routers !== undefined) await this.routers.prune(change, dto.routers);
    for (const section of ['members', 'capacities', 'teams', 'fields', 'users'] as const) {
      const dtos = dto[section];
      if (dtos !== undefined) await this.managed.prune(this.kind(section), change, { section, dtos });
    }
  }

  /** Returns the sections of an account, as a file has them. */
  async export(tx: Transaction, account: AccountContext): Promise<object> {
    return {
      users: await this.managed.export(this.users, tx, account),
      teams: await this.managed.export(this.teams, tx, account),
      fields: await this.managed.export(this.fields, tx, account),
      capacities: await this.managed.export(this.capacities, tx, account),
      members: await this.managed.export(this.members, tx, account),
      routers: await this.routers.export({ tx, account }),
    };
  }

  private kind(section: 'fields' | 'users' | 'teams' | 'capacities' | 'members'): AnyKind {
    return this[section];
  }
}
