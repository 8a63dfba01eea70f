import { Injectable } from '@nestjs/common';
import { CapacitiesRepository } from '../../capacities/index.js';
import type { Team } from '../../directory/index.js';
import { RoutersRepository, type RouterEntity } from '../../routers/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { routerParts, teamsOf } from '../change/router-parts.js';
import { usesByContents, type Use } from '../change/uses-by-contents.js';

/** Finds what names teams: pools of routers and of their rules, and capacities. */
@Injectable()
export class TeamUses {
  constructor(
    private readonly routers: RoutersRepository,
    private readonly capacities: CapacitiesRepository,
  ) {}

  /** @returns for each team a text for each use, such as `the router Inbound (rule VIP)` */
  async find({ tx, account }: ConfigurationChange, teams: readonly Team[]): Promise<string[][]> {
    const routers = await this.routers.listWithDrafts(tx, account);
    const capacities = await this.capacities.list(tx, account);
    const uses = usesByContents(routers, (content) => usesOf(content));
    return teams.map(({ id }) => [
      ...(uses.get(id) ?? []),
      ...capacities
        .filter((capacity) => capacity.teams.some(({ teamId }) => teamId === id))
        .map(({ name }) => `the capacity ${name}`),
    ]);
  }
}

/** Returns the uses of teams by one router, with their ids as keys. */
function usesOf({ name, teams, settings }: Pick<RouterEntity, 'name' | 'teams' | 'settings'>): Use[] {
  const own = teams.map(({ teamId }) => ({ key: teamId, text: `the router ${name}` }));
  const listed = routerParts(settings).flatMap((part) =>
    teamsOf(part).map((key) => ({ key, text: `the router ${name} (${part.name})` })),
  );
  return [...own, ...listed];
}
