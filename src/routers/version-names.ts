import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import type { EntityReader } from '../database/index.js';
import { DirectoryRepository } from '../directory/index.js';
import { renameInSettings, renameTeams } from '../engine/index.js';
import { FieldCatalog, FieldsRepository, type ObjectType } from '../fields/index.js';
import type { RouterVersionEntity } from './router-version.entity.js';
import { teamsOfRules, type NamedTeam } from './stored-rules.js';

/** The row of a version. */
type StoredVersionRow = Pick<RouterVersionEntity, keyof RouterVersionEntity>;

/** A version in which users and teams are called as they are now. */
export interface VersionOfNow extends StoredVersionRow {
  /** Where rules name teams that are archived. Another team of the name is not meant. */
  readonly archivedTeams: readonly NamedTeam[];
}

/** The names of now, by those that a version has; without those that stay. */
interface Renamed {
  readonly emails: ReadonlyMap<string, string>;
  readonly teams: ReadonlyMap<string, string>;
  /** Names that the version has of teams that are archived now. */
  readonly archived: ReadonlySet<string>;
}

/** Reads the settings of versions as if the users and teams in them had always had the names of now. */
@Injectable()
export class VersionNames {
  constructor(
    private readonly directory: DirectoryRepository,
    private readonly fields: FieldsRepository,
  ) {}

  /** Users and teams that are archived have their last name. */
  async ofNow(
    db: EntityReader,
    account: AccountContext,
    { version, objectType }: { readonly version: StoredVersionRow; readonly objectType: ObjectType },
  ): Promise<VersionOfNow> {
    const { emails, teams, archived } = await this.renamed(db, account, version);
    const isUserField = emails.size === 0 ? () => false : await this.userFields(db, account, objectType);
    const renamed = renameTeams(renameInSettings(version.settings, { emails, isUserField }), teams);
    const archivedTeams = teamsOfRules(version.settings)
      .filter(({ name }) => archived.has(name))
      .map(({ field, name }) => ({ field, name: teams.get(name) ?? name }));
    return { ...version, settings: renamed, archivedTeams };
  }

  private async renamed(
    db: EntityReader,
    account: AccountContext,
    { named }: StoredVersionRow,
  ): Promise<Renamed> {
    const { users = {}, teams = {} } = named ?? {};
    const [userIds, teamIds] = [Object.values(users), Object.values(teams)];
    const now = await this.directory.findByIds(db, account, { userIds, teamIds });
    const emailOf = new Map(now.users.map(({ id, email }) => [id, email]));
    const teamOf = new Map(now.teams.map((team) => [team.id, team]));
    const archived = Object.entries(teams).filter(([, id]) => (teamOf.get(id)?.archivedAt ?? null) !== null);
    return {
      emails: changedNames(users, (id) => emailOf.get(id)),
      teams: changedNames(teams, (id) => teamOf.get(id)?.name),
      archived: new Set(archived.map(([name]) => name)),
    };
  }

  /** Archived fields count too: what they say of users is shown. */
  private async userFields(
    db: EntityReader,
    account: AccountContext,
    objectType: ObjectType,
  ): Promise<(field: string) => boolean> {
    const catalog = new FieldCatalog(await this.fields.listAll(db, account));
    return (field) => catalog.get(objectType, field)?.type === 'user';
  }
}

function changedNames(
  ids: Readonly<Record<string, string>>,
  nameOf: (id: string) => string | undefined,
): ReadonlyMap<string, string> {
  const changed = Object.entries(ids).flatMap(([before, id]): [string, string][] => {
    const name = nameOf(id);
    return name === undefined || name === before ? [] : [[before, name]];
  });
  return new Map(changed);
}
