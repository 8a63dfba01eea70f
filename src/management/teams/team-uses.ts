import { Injectable } from '@nestjs/common';
import { CapacitiesRepository } from '../../capacities/index.js';
import type { Team } from '../../directory/index.js';
import { RoutersRepository, type RouterEntity } from '../../routers/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { routerParts, teamsOf } from '../change/router-parts.js';
import { usesByContents } from '../change/uses-by-contents.js';

/** Finds what names a team: pools of routers and of their rules, and capacities. */
@Injectable()
export class TeamUses {
  constructor(
    private readonly routers: RoutersRepository,
    private readonly capacities: CapacitiesRepository,
  ) {}

  /** @returns a text for each use, such as `the router Inbound (rule VIP)` */
  async find({ tx, account }: ConfigurationChange, team: Team): Promise<string[]> {
    const routers = await this.routers.listWithDrafts(tx, account);
    const capacities = await this.capacities.list(tx, account);
    return [
      ...routers.flatMap((router) => usesByContents(router, (content) => usesOf(content, team))),
      ...capacities
        .filter(({ teams }) => teams.some(({ teamId }) => teamId === team.id))
        .map(({ name }) => `the capacity ${name}`),
    ];
  }
}

/** Returns the uses of a team by one router. */
export function usesOf(
  { name, teams, settings }: Pick<RouterEntity, 'name' | 'teams' | 'settings'>,
  team: Team,
): string[] {
  const own = teams.some(({ teamId }) => teamId === team.id) ? [`the router ${name}`] : [];
  const parts = routerParts(settings).filter((part) => teamsOf(part).includes(team.name));
  return [...own, ...parts.map((part) => `the router ${name} (${part.name})`)];
}
