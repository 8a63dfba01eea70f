import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { Caller } from '../../auth/http.js';
import { Database, type EntityReader } from '../../database/index.js';
import { DirectoryRepository, type Directory, type TeamDto, type TeamEntity } from '../../directory/index.js';
import type { Page } from '../../paging/index.js';
import { foundRow, requireArchivable, requireChangeable } from '../change/managed-row.js';
import { ChangesService } from '../change/changes.service.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import { duplicate } from '../change/duplicate.js';
import { requireUnused } from '../change/in-use.js';
import type { ListRequest } from '../change/list-request.js';
import { readPage } from '../change/read-page.js';
import { teamView, type TeamView } from './team-view.js';
import { TeamsEditor } from './teams.editor.js';

/** Manages the teams of an account (contract section 6). */
@Injectable()
export class TeamsService {
  constructor(
    private readonly database: Database,
    private readonly directory: DirectoryRepository,
    private readonly changes: ChangesService,
    private readonly editor: TeamsEditor,
  ) {}

  /**
   * Returns one page of teams in creation order.
   * @throws DomainError 400 for a bad `after`, or one together with an offset
   */
  list(account: AccountContext, request: ListRequest): Promise<Page<TeamView>> {
    return readPage({ database: this.database, account }, request, {
      read: (db, range) => this.directory.pageOfTeams(db, account, range),
      view: (teams, db) => this.views(db, account, teams),
    });
  }

  /** Returns one team, archived or not. @throws 404 */
  get(account: AccountContext, id: string): Promise<TeamView> {
    return this.database.for(account).read((db) => this.view(db, account, id));
  }

  /** Creates a team. An archived one with the name becomes active again. @throws 409 where one is active */
  create(client: Caller, dto: TeamDto): Promise<TeamView> {
    return this.changes.change(client, async (change) => {
      const present = (await this.editor.find(change, [dto.name]))(dto.name);
      if (present?.archivedAt === null) throw duplicate('team', { field: 'name', existingId: present.id });
      return this.keep(change, dto, present);
    });
  }

  /** Changes what `dto` mentions. @throws 404; 409 for an archived team, and for a name that is taken */
  update(
    client: Caller,
    { id, dto }: { readonly id: string; readonly dto: Partial<TeamDto> },
  ): Promise<TeamView> {
    return this.changes.change(client, async (change) => {
      const present = await this.find(change.tx, client, id);
      requireChangeable('team', present);
      const { name = present.name } = dto;
      const owner = (await this.editor.find(change, [name]))(name);
      if (owner?.archivedAt === null && owner.id !== id) {
        throw duplicate('team', { field: 'name', existingId: owner.id });
      }
      return this.keep(change, { ...dto, name }, present);
    });
  }

  /** Archives a team. @throws 404, also for an archived team; 409 naming what uses it */
  archive(client: Caller, id: string): Promise<TeamView> {
    return this.changes.change(client, async (change) => {
      const present = await this.find(change.tx, client, id);
      requireArchivable('team', present);
      (await this.editor.archive(change, [present])).forEach(requireUnused);
      return this.view(change.tx, client, id);
    });
  }

  private async keep(
    change: ConfigurationChange,
    dto: TeamDto,
    present: TeamEntity | undefined,
  ): Promise<TeamView> {
    const [id = ''] = await this.editor.keep(change, [{ dto, present, refuse: change.refusing('') }]);
    change.throwIfRefused();
    return this.view(change.tx, change.account, id);
  }

  private find(db: EntityReader, account: AccountContext, id: string): Promise<TeamEntity> {
    return foundRow('team', id, () => this.directory.findTeam(db, account, id));
  }

  private async view(db: EntityReader, account: AccountContext, id: string): Promise<TeamView> {
    const team = await this.find(db, account, id);
    return teamView(team, await this.membersOf(db, account, [team]));
  }

  private async views(
    db: EntityReader,
    account: AccountContext,
    teams: readonly TeamEntity[],
  ): Promise<TeamView[]> {
    const directory = await this.membersOf(db, account, teams);
    return teams.map((team) => teamView(team, directory));
  }

  private membersOf(
    db: EntityReader,
    account: AccountContext,
    teams: readonly TeamEntity[],
  ): Promise<Directory> {
    return this.directory.loadSome(db, account, { userIds: teams.flatMap(({ memberIds }) => memberIds) });
  }
}
