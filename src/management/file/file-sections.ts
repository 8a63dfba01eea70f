import { Injectable } from '@nestjs/common';
import { CapacitiesKind } from '../kinds/capacities.kind.js';
import { FieldsKind } from '../kinds/fields.kind.js';
import { MembersKind } from '../kinds/members.kind.js';
import { TeamsKind } from '../kinds/teams.kind.js';
import { UsersKind } from '../kinds/users.kind.js';
import type { AnyKind } from '../managed/managed-kind.js';
import { RoutersManagementService } from '../routers/routers-management.service.js';

/** The sections of an account, each behind those to which it refers. */
export const SECTIONS = ['fields', 'users', 'teams', 'capacities', 'members', 'routers'] as const;
/** What refers to others goes first. */
export const PRUNED = ['routers', 'members', 'capacities', 'teams', 'fields', 'users'] as const;
export const EXPORTED = ['users', 'teams', 'fields', 'capacities', 'members', 'routers'] as const;

/** What reads and writes each section of an account. */
@Injectable()
export class FileSections {
  constructor(
    readonly fields: FieldsKind,
    readonly users: UsersKind,
    readonly teams: TeamsKind,
    readonly capacities: CapacitiesKind,
    readonly members: MembersKind,
    readonly routers: RoutersManagementService,
  ) {}

  of(section: (typeof SECTIONS)[number]): Pick<AnyKind, 'apply' | 'prune' | 'export'> {
    return this[section];
  }
}
